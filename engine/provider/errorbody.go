package provider

import (
	"bytes"
	"encoding/json"
	"strings"
)

// ErrorBody is what a server's error object says. Code may be a name or a number. Found reports whether the JSON was an
// error at all; a body that is no JSON gives its text as Message.
type ErrorBody struct {
	Message, Code, Type string
	Found               bool
}

// errorShape is every spelling that servers use: {"error":{..}}, {"error":"text"}, {"message":..}, {"detail":..},
// {"errors":[..]}; nested objects have the same fields.
type errorShape struct {
	Error    json.RawMessage `json:"error"`
	Errors   json.RawMessage `json:"errors"`
	Detail   json.RawMessage `json:"detail"`
	Message  json.RawMessage `json:"message"`
	Msg      json.RawMessage `json:"msg"`
	Code     json.RawMessage `json:"code"`
	Type     json.RawMessage `json:"type"`
	Status   json.RawMessage `json:"status"` // Gemini: the name, where code is a number
	Object   string          `json:"object"`
	Metadata struct {
		Raw json.RawMessage `json:"raw"` // OpenRouter: what the provider behind it said
	} `json:"metadata"`
}

// ReadError reads an error in any of the spellings servers use. It never fails: what is no JSON is the message itself.
func ReadError(body []byte) ErrorBody {
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return ErrorBody{}
	}
	if !json.Valid(body) {
		return ErrorBody{Message: clip(strings.Join(strings.Fields(strings.ToValidUTF8(string(body), "\ufffd")), " "), 500)}
	}
	return readError(body, 0)
}

func readError(raw []byte, depth int) ErrorBody {
	raw = bytes.TrimSpace(raw)
	if depth > 4 || len(raw) == 0 {
		return ErrorBody{}
	}
	switch raw[0] {
	case '"':
		text := jsonText(raw)
		if inner := []byte(strings.TrimSpace(text)); len(inner) > 0 && inner[0] == '{' && json.Valid(inner) {
			return readError(inner, depth+1) // an error that was put into a string
		}
		return ErrorBody{Message: text, Found: text != ""}
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
			return ErrorBody{}
		}
		return readError(list[0], depth+1)
	case '{':
		return readErrorObject(raw, depth)
	}
	return ErrorBody{}
}

func readErrorObject(raw []byte, depth int) ErrorBody {
	var s errorShape
	if json.Unmarshal(raw, &s) != nil {
		var loose struct{ Error, Message json.RawMessage } // a field of another type than usual
		if json.Unmarshal(raw, &loose) != nil {
			return ErrorBody{}
		}
		s.Error, s.Message = loose.Error, loose.Message
	}
	e := ErrorBody{Message: jsonText(s.Message), Code: jsonText(s.Code), Type: jsonText(s.Type)}
	if e.Message == "" {
		e.Message = jsonText(s.Msg)
	}
	if status := jsonText(s.Status); e.Type == "" && status != "" && strings.Trim(status, "0123456789") != "" {
		e.Type = status
	}
	for _, inner := range []json.RawMessage{s.Error, s.Errors, s.Detail} {
		said := readError(inner, depth+1)
		if said.Message == "" && said.Code == "" && said.Type == "" {
			continue
		}
		e = ErrorBody{first(said.Message, e.Message), first(said.Code, e.Code), first(said.Type, e.Type), true}
		break
	}
	if said := readError(s.Metadata.Raw, depth+1); said.Message != "" && said.Message != e.Message {
		e.Message = strings.TrimSpace(e.Message + ": " + said.Message)
	}
	e.Found = e.Found || e.Message != "" || e.Code != "" || s.Object == "error"
	return e
}

// jsonText is the text of a JSON string or number, "" for anything else.
func jsonText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		return number.String()
	}
	return ""
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
