package acp

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	proto "github.com/coder/acp-go-sdk"
)

// message makes a message of what the editor sent: text, with embedded files in it, and paths of attachments.
func (a *agent) message(blocks []proto.ContentBlock) (text string, files []string, err error) {
	var parts []string
	for _, b := range blocks {
		switch {
		case b.Text != nil:
			parts = append(parts, b.Text.Text)
		case b.ResourceLink != nil:
			if path, ok := localPath(b.ResourceLink.Uri); ok {
				files = append(files, path)
			} else {
				parts = append(parts, b.ResourceLink.Uri)
			}
		case b.Resource != nil && b.Resource.Resource.TextResourceContents != nil:
			r := b.Resource.Resource.TextResourceContents
			name := r.Uri
			if path, ok := localPath(r.Uri); ok {
				name = path
			}
			fence := fenceFor(r.Text)
			parts = append(parts, fmt.Sprintf("%s\n%s\n%s\n%s", name, fence, strings.TrimRight(r.Text, "\n"), fence))
		case b.Image != nil:
			path, err := a.picture(*b.Image)
			if err != nil {
				return "", nil, err
			}
			files = append(files, path)
		case b.Audio != nil:
			return "", nil, fmt.Errorf("sound cannot be sent to a model here")
		case b.Resource != nil:
			return "", nil, fmt.Errorf("a file that is no text cannot be embedded; link to it instead")
		}
	}
	return strings.TrimSpace(strings.Join(parts, "\n\n")), files, nil
}

// fenceFor is a row of backticks that does not stand in text.
func fenceFor(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

// localPath is the path of a file: address of this machine.
func localPath(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" {
		return "", false
	}
	return filepath.FromSlash(u.Path), true
}

// picture keeps a picture as a file, which is what an attachment is.
func (a *agent) picture(p proto.ContentBlockImage) (string, error) {
	if p.Uri != nil {
		if path, ok := localPath(*p.Uri); ok && p.Data == "" {
			return path, nil
		}
	}
	data, err := base64.StdEncoding.DecodeString(p.Data)
	if err != nil || len(data) == 0 {
		return "", fmt.Errorf("a picture is not valid base64")
	}
	if err := os.MkdirAll(a.d.Pictures, 0o700); err != nil {
		return "", fmt.Errorf("keep a picture: %w", err)
	}
	ending := map[string]string{"image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp"}[p.MimeType]
	if ending == "" {
		ending = ".png"
	}
	f, err := os.CreateTemp(a.d.Pictures, "editor-*"+ending)
	if err != nil {
		return "", fmt.Errorf("keep a picture: %w", err)
	}
	if _, err = f.Write(data); err == nil {
		err = f.Close()
	}
	if err != nil {
		return "", fmt.Errorf("keep a picture: %w", err)
	}
	return f.Name(), nil
}

func textContent(text string) []proto.ToolCallContent {
	if text == "" {
		return nil
	}
	return []proto.ToolCallContent{proto.ToolContent(proto.TextBlock(text))}
}

// serversOf are the tool servers that an editor brings; kinds that are not spoken here are left out.
func serversOf(all []proto.McpServer) (out []Server) {
	for _, m := range all {
		switch {
		case m.Stdio != nil:
			s := Server{Name: m.Stdio.Name, Command: m.Stdio.Command, Args: m.Stdio.Args, Env: map[string]string{}}
			for _, v := range m.Stdio.Env {
				s.Env[v.Name] = v.Value
			}
			out = append(out, s)
		case m.Http != nil:
			s := Server{Name: m.Http.Name, URL: m.Http.Url, Headers: map[string]string{}}
			for _, h := range m.Http.Headers {
				s.Headers[h.Name] = h.Value
			}
			out = append(out, s)
		}
	}
	return out
}
