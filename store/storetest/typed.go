package storetest

import (
	"fmt"
	"testing"

	"talaria/engine"
)

func drafts(t *testing.T, st engine.Store) {
	read := func(dir, session string) string {
		t.Helper()
		text, err := st.Draft(t.Context(), dir, session)
		must(t, err)
		return text
	}
	want(t, "none yet", read("/p", ""), "")
	must(t, st.SaveDraft(t.Context(), "/p", "", "new\nsession ü"))
	must(t, st.SaveDraft(t.Context(), "/p", "one", "of one"))
	must(t, st.SaveDraft(t.Context(), "/q", "", "elsewhere"))
	must(t, st.SaveDraft(t.Context(), "/p", "one", "of one, longer"))
	want(t, "of the directory", read("/p", ""), "new\nsession ü")
	want(t, "of the session", read("/p", "one"), "of one, longer")
	want(t, "of the other directory", read("/q", ""), "elsewhere")
	must(t, st.SaveDraft(t.Context(), "/p", "", ""))
	want(t, "removed", read("/p", ""), "")
	want(t, "of the session still", read("/p", "one"), "of one, longer")
}

func history(t *testing.T, st engine.Store) {
	for _, line := range []string{"one", "two", "two", "three\nlines\nhere", ""} {
		must(t, st.AddHistory(t.Context(), "/p", line))
	}
	for _, dir := range []string{"/o", "/p/sub", "/q"} {
		must(t, st.AddHistory(t.Context(), dir, "of "+dir))
	}
	for n, lines := range map[int][]string{0: {"three\nlines\nhere", "two", "one"}, 2: {"three\nlines\nhere", "two"}, 9: {"three\nlines\nhere", "two", "one"}} {
		got, err := st.History(t.Context(), "/p", n)
		must(t, err)
		want(t, fmt.Sprint("newest ", n), got, lines)
	}
	all, err := st.History(t.Context(), "", 4)
	must(t, err)
	want(t, "everywhere", all, []string{"of /q", "of /p/sub", "of /o", "three\nlines\nhere"})
	got, err := st.History(t.Context(), "/nowhere", 5)
	must(t, err)
	want(t, "of a directory without any", len(got), 0)
}
