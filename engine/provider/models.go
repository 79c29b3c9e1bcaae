package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// maxModels bounds the list of models; the longest known (an aggregator's) is under 2 MiB.
const maxModels = 16 << 20

// Models asks at, an address of ep, for the names of the models on offer: in the server's order, each once. Introduce
// sets the headers of the mode.
func Models(ctx context.Context, ep Endpoint, at string, introduce func(*http.Request) error) ([]string, error) {
	own := ep.HTTP == nil
	ep = ep.WithClient()
	if own {
		defer ep.HTTP.CloseIdleConnections()
	}
	req, err := newRequest(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if err := introduce(req); err != nil {
		return nil, err
	}
	resp, err := ep.Do(req, 0)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxModels))
	if err != nil {
		return nil, &Failure{Status: resp.StatusCode, URL: PublicURL(req.URL), Cut: true, Err: err, Message: "the list of models broke off: " + err.Error()}
	}
	names, ok := modelNames(body)
	if !ok {
		said := ReadError(body)
		return nil, &Failure{Status: resp.StatusCode, Header: resp.Header, ContentType: resp.Header.Get("Content-Type"), URL: PublicURL(req.URL),
			Code: said.Code, Type: said.Type, Message: fmt.Sprintf("%s did not answer with a list of models: %s", req.URL.Host, said.Message)}
	}
	return names, nil
}

// modelNames reads {"data":[{"id"}]}, {"models":[{"name"}]} or a bare list.
func modelNames(body []byte) ([]string, bool) {
	type model struct{ ID, Name, Model string }
	var box struct {
		Data, Models *[]model
	}
	var list []model
	switch err := json.Unmarshal(body, &box); {
	case err == nil && box.Data != nil:
		list = *box.Data
	case err == nil && box.Models != nil:
		list = *box.Models
	case json.Unmarshal(body, &list) != nil:
		return nil, false
	}
	names, seen := []string{}, map[string]bool{"": true}
	for _, m := range list {
		if name := first(m.ID, first(m.Model, m.Name)); !seen[name] {
			names, seen[name] = append(names, name), true
		}
	}
	return names, true
}
