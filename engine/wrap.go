package engine

// Available is a tool that can say that it is of no use at present and shall not be offered.
type Available interface{ Available() bool }

// Wrapped is a tool around another one: embedded, it answers as that one does in everything that a tool may say beside
// its Spec. Whoever puts something before or after Run embeds it and writes Run.
type Wrapped struct{ Tool }

// Touches names the files that a call works on; nil when the tool cannot.
func (w Wrapped) Touches(c Call) []string {
	if t, ok := w.Tool.(Toucher); ok {
		return t.Touches(c)
	}
	return nil
}

// SideBySide reports whether this call may run beside any other.
func (w Wrapped) SideBySide(c Call) bool {
	t, ok := w.Tool.(SideBySide)
	return ok && t.SideBySide(c)
}

// Beside reports whether calls may run side by side.
func (w Wrapped) Beside() bool {
	t, ok := w.Tool.(Companion)
	return ok && t.Beside()
}

// Available reports whether the tool can be used.
func (w Wrapped) Available() bool {
	t, ok := w.Tool.(Available)
	return !ok || t.Available()
}
