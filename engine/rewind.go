package engine

// Standing returns the records that make up the chat as it now is: what an undo took out of it is left out, what a redo
// brought back stands at its place again. The Rewound records themselves stay, for they are part of the story. Records
// may be the end of a session only: what a Rewound takes back beyond them is not there to be left out.
func Standing(recs []Record) []Record {
	var out []Record
	gone := map[string][]Record{} // by undo
	for _, r := range recs {
		e, ok := r.Event.(Rewound)
		if !ok || e.From == "" {
			out = append(out, r)
			continue
		}
		if !e.Back {
			at := beginning(out, e.From)
			gone[e.ID] = append([]Record(nil), out[at:]...)
			out = append(out[:at], r)
			continue
		}
		if at := undone(out, e.ID); at >= 0 {
			after := append([]Record(nil), out[at+1:]...)
			out = append(append(append(out[:at], gone[e.ID]...), after...), r)
			delete(gone, e.ID)
		} else {
			out = append(out, r) // its undo lies before these records
		}
	}
	return out
}

// beginning is where the turn of the message id begins; what stands before it of that turn (Began, and light events of
// it) belongs to it. 0 when the message is not among recs: it lies before them.
func beginning(recs []Record, id string) int {
	for i := len(recs) - 1; i >= 0; i-- {
		if a, ok := recs[i].Event.(Appended); !ok || a.Message.ID != id {
			continue
		}
		for j := i - 1; j >= 0; j-- {
			if _, began := recs[j].Event.(Began); began {
				return j
			}
			if _, note := recs[j].Event.(Noted); !note && recs[j].Event != nil {
				break // something else stands between: the turn has no beginning of its own
			}
		}
		return i
	}
	return 0
}

func undone(recs []Record, id string) int {
	for i := len(recs) - 1; i >= 0; i-- {
		if e, ok := recs[i].Event.(Rewound); ok && e.ID == id && !e.Back {
			return i
		}
	}
	return -1
}
