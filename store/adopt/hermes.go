package adopt

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"talaria/engine"
)

// hermesHead is what a session log tells before its messages, or the first line of a session that is written line by line.
type hermesHead struct {
	ID      string          `json:"session_id"`
	Model   string          `json:"model"`
	BaseURL string          `json:"base_url"`
	Title   string          `json:"title"`
	Dir     string          `json:"cwd"`
	Began   json.RawMessage `json:"session_start"`
	At      json.RawMessage `json:"timestamp"`
}

// hermesMessage is a message as chat completions have it, with the reasoning beside the content.
type hermesMessage struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Reasoning string          `json:"reasoning"`
	Thinking  string          `json:"reasoning_content"`
	Calls     []struct {
		ID       string `json:"id"`
		CallID   string `json:"call_id"`
		Function struct {
			Name string          `json:"name"`
			Args json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
	CallID    string          `json:"tool_call_id"`
	Timestamp json.RawMessage `json:"timestamp"`
	hermesHead
}

// readHermes reads a log that is one JSON object, or a session with a message in each line.
func readHermes(f io.ReadSeeker, b *builder) error {
	whole, err := isObject(f)
	if err != nil {
		return err
	}
	if !whole {
		long, err := eachLine(f, func(_ int, line []byte) error {
			b.hermesLine(line)
			return b.err
		})
		b.head.Damaged += long
		return err
	}
	if err := hermesObject(f, b.hermesKey); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	cutOff := false
	err = hermesObject(f, func(key string, dec *json.Decoder) error {
		if key != "messages" {
			return passOver(dec)
		}
		return list(dec, func(raw json.RawMessage) error {
			b.hermesLine(raw)
			return b.err
		})
	}, &cutOff)
	if cutOff && b.err == nil {
		b.head.Damaged++ // the rest of the file, which is cut off or no JSON
	}
	return err
}

// isObject reports whether f is one JSON object that has the messages in it, and not a line for each.
func isObject(f io.ReadSeeker) (bool, error) {
	found := false
	err := hermesObject(f, func(key string, dec *json.Decoder) error {
		if key == "messages" {
			found = true
			return io.EOF
		}
		return passOver(dec)
	})
	if err != nil {
		return false, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return found, err
}

// hermesObject walks the keys of the first JSON value of f. What is no JSON, or cut off, ends the walk and sets bad; an
// error of reading is returned.
func hermesObject(f io.Reader, each func(key string, dec *json.Decoder) error, bad ...*bool) error {
	r := &failing{r: bufio.NewReaderSize(f, 64<<10)}
	dec := json.NewDecoder(r)
	err := func() error {
		if t, err := dec.Token(); err != nil || t != json.Delim('{') {
			return err
		}
		for dec.More() {
			t, err := dec.Token()
			if err != nil {
				return err
			}
			key, _ := t.(string)
			if err := each(key, dec); err != nil {
				return err
			}
		}
		_, err := dec.Token()
		return err
	}()
	if r.err != nil {
		return r.err
	}
	if err != nil && len(bad) > 0 {
		*bad[0] = true
	}
	return nil
}

// failing remembers a failure to read, which a decoder does not tell from damage.
type failing struct {
	r   io.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if err != nil && err != io.EOF {
		f.err = err
	}
	return n, err
}

// passOver reads a value and forgets it.
func passOver(dec *json.Decoder) error {
	var raw json.RawMessage
	return dec.Decode(&raw)
}

// list walks an array, an element at a time.
func list(dec *json.Decoder, each func(json.RawMessage) error) error {
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return err
	}
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		if err := each(raw); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}

// hermesKey takes one field of a log's head.
func (b *builder) hermesKey(key string, dec *json.Decoder) error {
	if !slices.Contains([]string{"session_id", "model", "base_url", "title", "cwd", "session_start"}, key) {
		return passOver(dec)
	}
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return err
	}
	var h hermesHead
	if one, err := engine.Marshal(map[string]json.RawMessage{key: raw}); err == nil && decode(one, &h) {
		b.hermesAbout(h)
	}
	return nil
}

func (b *builder) hermesAbout(h hermesHead) {
	for to, from := range map[*string]string{&b.head.ID: h.ID, &b.head.Model: h.Model, &b.head.BaseURL: h.BaseURL, &b.head.Title: h.Title, &b.head.Dir: h.Dir} {
		if from != "" {
			*to = from
		}
	}
	for _, raw := range []json.RawMessage{h.Began, h.At} {
		if t := instant(raw); !t.IsZero() {
			b.at(t)
		}
	}
}

// hermesLine takes one message.
func (b *builder) hermesLine(line []byte) {
	var m hermesMessage
	if !decode(line, &m) {
		b.head.Damaged++
		return
	}
	at := instant(m.Timestamp)
	switch m.Role {
	case "session_meta":
		b.at(at)
		b.hermesAbout(m.hermesHead)
	case "system":
	case "user":
		if parts := hermesParts(m.Content, b); len(parts) > 0 {
			b.user(parts, at)
		}
	case "assistant":
		b.hermesReply(m, at)
	case "tool":
		b.result(engine.Result{CallID: m.CallID, Text: flat(m.Content), Status: engine.StatusDone}, at)
	default:
		b.skip(m.Role)
	}
}

func (b *builder) hermesReply(m hermesMessage, at time.Time) {
	thought := m.Reasoning
	if thought == "" {
		thought = m.Thinking
	}
	parts := append(engine.Parts{engine.Thought{Text: thought}}, hermesParts(m.Content, b)...)
	for _, c := range m.Calls {
		id := c.ID
		if id == "" {
			id = c.CallID
		}
		args := string(bytes.TrimSpace(c.Function.Args))
		var text string
		if json.Unmarshal(c.Function.Args, &text) == nil {
			args = text
		}
		parts = append(parts, engine.Call{ID: id, Name: c.Function.Name, Args: args})
	}
	model := m.Model
	if model == "" {
		model = b.head.Model
	}
	b.replies++
	b.says(fmt.Sprintf("reply %d", b.replies), model, parts, at)
}

// hermesParts are a text, or a list of texts and pictures.
func hermesParts(content json.RawMessage, b *builder) (parts engine.Parts) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return engine.Parts{engine.Text{Text: text}}
	}
	var list []struct {
		Type  string `json:"type"`
		Text  string `json:"text"`
		Image struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	_ = decode(content, &list) // what is neither says nothing
	for _, p := range list {
		img, ok := picture(p.Image.URL)
		switch {
		case ok:
			parts = append(parts, img)
		case strings.HasSuffix(p.Type, "text"):
			parts = append(parts, engine.Text{Text: p.Text})
		default:
			b.skip("content " + p.Type)
		}
	}
	return parts
}
