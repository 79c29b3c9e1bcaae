package pictures

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestAPathIsKnownAsTerminalsWriteOne(t *testing.T) {
	for text, want := range map[string]string{
		"/tmp/a.png": "/tmp/a.png", " /tmp/a.PNG \n": "/tmp/a.PNG", `/tmp/my\ shot\ \(1\).jpg`: "/tmp/my shot (1).jpg", "'/tmp/my shot.webp'": "/tmp/my shot.webp",
		`"/tmp/my shot.gif"`: "/tmp/my shot.gif", "file:///tmp/my%20shot.jpeg": "/tmp/my shot.jpeg", "file://localhost/tmp/a.png": "/tmp/a.png", "~/a.png": "/home/kim/a.png",
		"a.png": "", "/tmp/a.txt": "", "look at /tmp/a.png": "", "/tmp/a.png\n/tmp/b.png": "", "": "", "https://example.org/a.png": "", "file://%zz.png": "", "'": "", `/tmp/a".png`: "",
	} {
		got, ok := pathOf(text, "/home/kim")
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPicturesOfTheClipboardAreTheUsersOwnAndDoNotPileUp(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pasted")
	now := time.Now()
	first, err := keep(dir, now, []byte("a"))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(first); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	other := filepath.Join(dir, "mine.png")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	second, err := keep(dir, now.Add(kept+time.Hour), []byte("b"))
	if err != nil || second == first {
		t.Fatal(err)
	}
	if _, err := os.Stat(first); err == nil {
		t.Error("an old one stayed")
	}
	if _, err := os.Stat(other); err != nil {
		t.Error("a file of somebody else is gone")
	}
}
