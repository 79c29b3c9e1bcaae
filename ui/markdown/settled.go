package markdown

// Settled is how many of the lines that were laid out last can no longer change while the text grows, and how many bytes
// of the source they show.
func (s *Stream) Settled() (rows, bytes int) { return len(s.lines), s.done }
