package match

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// apply is an edit as a user sees it: the file after, how it was found, or the error.
func apply(t *testing.T, file, old, new string, all bool) (string, string, error) {
	t.Helper()
	edits, how, err := Find([]byte(file), old, new, all)
	if err != nil {
		return file, how, err
	}
	return string(Splice([]byte(file), edits)), how, nil
}

func TestL08CRLFFileKeepsItsLineEnds(t *testing.T) {
	for _, all := range []bool{false, true} {
		got, how, err := apply(t, "alpha\r\nbeta\r\ngamma", "alpha\nbeta", "ALPHA\nBETA", all)
		if err != nil || how != "" || got != "ALPHA\r\nBETA\r\ngamma" {
			t.Errorf("all=%v: %q, %q, %v", all, got, how, err)
		}
	}
	if got, _, _ := apply(t, "alpha\nbeta\ngamma", "alpha\r\nbeta", "ALPHA\r\nBETA", false); got != "ALPHA\nBETA\ngamma" {
		t.Errorf("an LF file gained a CR: %q", got)
	}
}

func TestL08MixedFileKeepsEveryOtherLine(t *testing.T) {
	for _, c := range []struct{ name, file, old, new, want string }{
		{"match on a CRLF line", "a\nb\r\nc\nd\r\n", "b\n", "B1\nB2\n", "a\nB1\r\nB2\r\nc\nd\r\n"},
		{"match on an LF line", "a\r\nb\nc\r\n", "b\n", "B1\nB2\n", "a\r\nB1\nB2\nc\r\n"},
		{"unchanged lines inside the match", "a\nb\r\nc\nd\r\n", "a\nb\nc\nd", "a\nB\nc\nd", "a\nB\r\nc\nd\r\n"},
		{"a line put between two", "a\r\nb\r\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\n"},
		{"the last line without an end", "a\r\nb", "b", "b\nc", "a\r\nb\r\nc"},
	} {
		if got, _, err := apply(t, c.file, c.old, c.new, false); err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestL10SimilarTextIsNotTheText(t *testing.T) {
	file := "alpha(1)\nbeta(2)\ngamma(3)\n"
	_, _, err := apply(t, file, "alpha(1)\nbeta(9)\ngamma(3)", "alpha(1)\nbeta(10)\ngamma(3)", false)
	if !errors.Is(err, ErrNone) {
		t.Fatalf("got %v", err)
	}
	if near := Nearest(file, "alpha(1)\nbeta(9)\ngamma(3)"); !strings.Contains(near, "2|beta(2)") {
		t.Fatalf("the nearest lines are %q", near)
	}
}

func TestL10TextAtTwoPlacesNeedsReplaceAll(t *testing.T) {
	file := "x = 1\ny = 2\nx = 1\n"
	_, _, err := apply(t, file, "x = 1", "x = 3", false)
	var many Many
	if !errors.As(err, &many) || len(many.Lines) != 2 || many.Lines[0] != 1 || many.Lines[1] != 3 {
		t.Fatalf("got %v", err)
	}
	if got, _, err := apply(t, file, "x = 1", "x = 3", true); err != nil || got != "x = 3\ny = 2\nx = 3\n" {
		t.Fatalf("%q, %v", got, err)
	}
}

func TestL10TolerantMatchAtTwoPlacesIsRefusedEvenForAll(t *testing.T) {
	file := "if a {\n\tf( x )\n}\nif b {\n\tf( x )\n}\n"
	for _, all := range []bool{false, true} {
		if _, _, err := apply(t, file, "f(  x )", "g(x)", all); !errors.As(err, new(Many)) {
			t.Errorf("all=%v: %v", all, err)
		}
	}
}

func TestOverlappingPlacesCountOnce(t *testing.T) {
	if got, _, err := apply(t, "aaaaa", "aa", "b", true); err != nil || got != "bba" {
		t.Fatalf("%q, %v", got, err)
	}
}

func TestTolerantStrategiesSayWhichOneItWas(t *testing.T) {
	for _, c := range []struct{ how, file, old, new, want string }{
		{howIndent, "func f() {\n\tif x {\n\t\treturn 1\n\t}\n}\n", "if x {\n\treturn 1\n}", "if x {\n\treturn 2\n}", "func f() {\n\tif x {\n\t\treturn 2\n\t}\n}\n"},
		{howIndent, "    def f(self):\n        return 1\n", "def f(self):\n    return 1\n", "def f(self):\n    if self.a:\n        return 2\n    return 1\n", "    def f(self):\n        if self.a:\n            return 2\n        return 1\n"},
		{howTrimmed, "\tif x {\n\t\tgo()\n\t}\n", "    if x {\n        go()\n    }", "    if x {\n        for {\n            go()\n        }\n    }", "\tif x {\n\t\tfor {\n\t\t\tgo()\n\t\t}\n\t}\n"},
		{howTrimmed, "a := 1   \nb := 2\n", "a := 1\nb := 2", "a := 1\nb := 3", "a := 1   \nb := 3\n"},
		{howSpaces, "var   x  = 1\r\nvar y = 2\r\n", "var x = 1", "var x = 5\nvar z = 6", "var x = 5\r\nvar z = 6\r\nvar y = 2\r\n"},
		{howUnicode, "say “hello”, it’s on – now\n", `say "hello", it's on - now`, `say "hello", it's off - now`, "say “hello”, it’s off – now\n"},
		{howUnicode, "a\u00a0b – c\nnext “x”\n", "a b - c", "a b - d", "a\u00a0b – d\nnext “x”\n"},
	} {
		got, how, err := apply(t, c.file, c.old, c.new, false)
		if err != nil || how != c.how || got != c.want {
			t.Errorf("%q: %q by %q, %v; want %q by %q", c.old, got, how, err, c.want, c.how)
		}
	}
}

// The model flattened the block: which indentation a new line should get would be a guess.
func TestOneIndentationForTwoIsRefused(t *testing.T) {
	file := "if x:\n    a()\n    if y:\n        b()\n"
	if _, how, err := apply(t, file, "a()\nif y:\nb()", "a()\nif z:\nb()", false); !errors.Is(err, ErrNone) {
		t.Fatalf("%q, %v", how, err)
	}
}

func TestLineEndsAtTheEdgesOfATolerantMatch(t *testing.T) {
	for _, c := range []struct{ name, file, old, new, want string }{
		{"old without its line end", "  a\nb\n", "a  x\n", "", ""},
		{"deleted with its line end", "\ta  1\nb\n", "a 1\n", "", "b\n"},
		{"no line end at the end of the file", "b\n\ta  1", "a 1\n", "a 2\n", "b\n\ta 2"},
		{"lines added after a last line without end", "b\n\ta  1", "a 1\n", "a 1\nc\n", "b\n\ta  1\n\tc"},
		{"only the end of the match changes", "\ta  1\n\tb  2\n", "a 1\nb 2", "a 1\nb 3", "\ta  1\n\tb 3\n"},
	} {
		got, _, err := apply(t, c.file, c.old, c.new, false)
		if c.want == "" {
			if err == nil {
				t.Errorf("%s: matched", c.name)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestL12BytesThatAreNoUTF8StayAsTheyAre(t *testing.T) {
	for _, rest := range []string{"// caf\xe9 note\n", "// \xd6\xd0\xce\xc4\n", "// “smart” \xff\r\n"} {
		file := "\xEF\xBB\xBFconst  x = 1;\n" + rest
		got, _, err := apply(t, file, "const x = 1;", "const x = 2;", false)
		if err != nil && !strings.HasPrefix(file, "\xEF") {
			t.Fatal(err)
		}
		if err == nil && got != "\xEF\xBB\xBFconst x = 2;\n"+rest {
			t.Fatalf("got %q", got)
		}
		file = "\xEF\xBB\xBFconst x = 1;\n" + rest
		if got, _, err := apply(t, file, "const x = 1;", "const x = 2;", false); err != nil || got != "\xEF\xBB\xBFconst x = 2;\n"+rest {
			t.Fatalf("got %q, %v", got, err)
		}
	}
}

// Whatever is found: the edits are in order, and the file outside them never changes.
func FuzzFind(f *testing.F) {
	f.Add([]byte("alpha\r\nbeta\ngamma"), "alpha\nbeta", "A\nB", false)
	f.Add([]byte("\tif x {\n\t\tgo()\n\t}\n"), "if x {\n    go()\n}", "if y {\n    go()\n}\n", false)
	f.Add([]byte("say “hi” \xe9\r\n"), "say \"hi\"", "say ‘hi’", false)
	f.Add([]byte("aaaaa"), "aa", "b", true)
	f.Add([]byte("b\n\ta  1"), "a 1\n", "a 1\nc\n", false)
	f.Fuzz(func(t *testing.T, file []byte, old, new string, all bool) {
		if old == "" {
			return
		}
		before := bytes.Clone(file)
		edits, how, err := Find(file, old, new, all)
		if !bytes.Equal(before, file) {
			t.Fatal("the file's bytes were changed in place")
		}
		if err != nil {
			if len(edits) > 0 {
				t.Fatal("edits beside an error")
			}
			return
		}
		if len(edits) == 0 || len(edits) > 1 && (!all || how != "") {
			t.Fatalf("%d edits by %q", len(edits), how)
		}
		out, from, at := Splice(file, edits), 0, 0
		for _, e := range edits {
			if e.Start < from || e.End < e.Start || e.End > len(file) {
				t.Fatalf("edits overlap or leave the file: %+v", edits)
			}
			kept := file[from:e.Start]
			if !bytes.Equal(out[at:at+len(kept)], kept) {
				t.Fatalf("bytes before %d changed", e.Start)
			}
			at, from = at+len(kept)+len(e.Text), e.End
		}
		if !bytes.Equal(out[at:], file[from:]) {
			t.Fatal("bytes after the last edit changed")
		}
		if how == "" && len(edits) == 1 && !bytes.Contains([]byte(LF(string(out))), []byte(LF(new))) {
			t.Fatalf("an exact edit did not put the new text in: %q", out)
		}
	})
}
