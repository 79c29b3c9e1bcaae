package composer

import (
	"bytes"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"
)

// TestU03APasteWhoseEndIsCutByASlowLineEnds gives input in pieces that are cut anywhere, and looks at what is handed on:
// never a part of a marker, never half a character, never a long paste, and nothing lost.
func TestU03APasteWhoseEndIsCutByASlowLineEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var input, want []byte
		for range rapid.IntRange(1, 6).Draw(t, "parts") {
			text := rapid.SampledFrom([]string{"a", "한글", "\x1b[A", "", "line1\r한글", strings.Repeat("x한", 40), "\x1b[200~nested", "\x1b[20~", strings.Repeat("long ", 900), "half \x1b[201"}).Draw(t, "text")
			if rapid.Bool().Draw(t, "pasted") {
				text = string(pasteBegin) + text + string(pasteEnd)
			} else if strings.Contains(text, "200~") || strings.HasSuffix(text, "201") {
				continue
			}
			input, want = append(input, text...), append(want, text...)
		}
		want = append(want, "한."...)
		input = append(input, "한."...)
		in := &Stdin{}
		var got []byte
		for len(input) > 0 {
			n := min(len(input), rapid.SampledFrom([]int{1, 2, 3, 5, 7, 100, 4000}).Draw(t, "read"))
			piece := in.take(input[:n])
			input = input[n:]
			if !bytes.Equal(bytes.ToValidUTF8(piece, nil), piece) {
				t.Fatalf("half a character in %q", piece)
			}
			for rest := piece; ; { // every paste is whole, and a long one a sign
				i := bytes.Index(rest, pasteBegin)
				if i < 0 {
					break
				}
				end := bytes.Index(rest[i:], pasteEnd)
				if end < 0 || end > 100 {
					t.Fatalf("a paste is cut or long: %q", piece)
				}
				text := in.Whole(tea.PasteMsg{Content: string(rest[i+len(pasteBegin) : i+end])}).Content
				got = append(append(append(append(got, rest[:i]...), pasteBegin...), text...), pasteEnd...)
				rest = rest[i+end+len(pasteEnd):]
				piece = rest
			}
			got = append(got, piece...)
		}
		if !bytes.Equal(got, want) || len(in.held) > 0 || len(in.pastes) > 0 {
			t.Fatalf("%q\nwas handed on as\n%q\nheld %q, %d pastes", want, got, in.held, len(in.pastes))
		}
	})
}

// What is handed on fits what the reader has room for, however the terminal cuts it.
func TestU03AReadNeverLosesWhatDoesNotFit(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.Repeat("k", 30) + string(pasteBegin) + strings.Repeat("p", shortPaste) + string(pasteEnd) + strings.Repeat("한", 3000) + "."
	go func() { _, _ = w.WriteString(whole); w.Close() }()
	in := &Stdin{File: r}
	var got []byte
	for p := make([]byte, 200); ; {
		n, err := in.Read(p)
		got = append(got, p[:n]...)
		if err != nil {
			break
		}
	}
	if string(got) != whole {
		t.Errorf("%d bytes of %d, or others", len(got), len(whole))
	}
}

func TestAPasteThatLooksLikeASignIsItself(t *testing.T) {
	in := &Stdin{}
	long := strings.Repeat("x", 100)
	in.take([]byte(string(pasteBegin) + long + string(pasteEnd)))
	msg := tea.PasteMsg{Content: "paste 1 of 100 bytes"}
	if got := in.Whole(msg).Content; got != long {
		t.Errorf("%q", got)
	}
	if got := in.Whole(msg); got != msg {
		t.Errorf("a text of the user's became %q", got.Content)
	}
}

func TestCtrlCEndsAPasteWhoseEndWasLost(t *testing.T) {
	for _, key := range []string{"\x03", "\x1b[99;5u"} {
		in := &Stdin{}
		got := string(in.take([]byte("a\x1b[200~text")))
		got += string(in.take([]byte(" and more")))
		if got != "a" {
			t.Fatalf("%q was handed on of a paste that has not ended", got)
		}
		if got += string(in.take([]byte(key))) + string(in.take([]byte("b"))); got != "a\x1b[200~text and more\x1b[201~"+key+"b" {
			t.Errorf("%q", got)
		}
	}
}
