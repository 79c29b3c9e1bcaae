package composer

// depth is how many steps undo and the kill ring reach back.
const depth = 200

// timeline is what undo and redo walk. Snapshots share their text with the buffer, so a step costs what changed.
type timeline struct {
	past, future []buffer
	gone         int  // steps that are too old to be kept
	typing       bool // the newest step is typing that may go on
}

func (t *timeline) push(b buffer, typing bool) {
	t.future = nil
	if typing && t.typing {
		return
	}
	t.past = append(t.past, b)
	if len(t.past) > depth {
		t.past = t.past[1:]
		t.gone++
	}
}

// steps counts the steps there were, for join.
func (t *timeline) steps() int { return t.gone + len(t.past) }

// join makes one step of all that came after so many.
func (t *timeline) join(steps int) {
	if keep := max(0, steps-t.gone) + 1; len(t.past) > keep {
		t.past = t.past[:keep]
	}
}

func (t *timeline) back(now buffer) buffer { return step(&t.past, &t.future, now) }

func (t *timeline) forth(now buffer) buffer { return step(&t.future, &t.past, now) }

func step(from, to *[]buffer, now buffer) buffer {
	if len(*from) == 0 {
		return now
	}
	b := (*from)[len(*from)-1]
	*from, *to = (*from)[:len(*from)-1], append(*to, now)
	return b
}

// kills holds what Ctrl+K, Ctrl+U and Ctrl+W took, newest last. Kills in a row are one.
type kills struct {
	texts  []string
	open   bool // the last key was a kill
	yanked int  // bytes before the cursor that Alt+Y may replace; 0 when the last key was no yank
	turn   int
}

func (k *kills) add(s string, chain, before bool) {
	if s == "" {
		return
	}
	switch last := len(k.texts) - 1; {
	case !chain || last < 0:
		k.texts = append(k.texts, s)
		if len(k.texts) > depth {
			k.texts = k.texts[1:]
		}
	case before:
		k.texts[last] = s + k.texts[last]
	default:
		k.texts[last] += s
	}
	k.open = true
}

func (c *Composer) yank() {
	if n := len(c.kills.texts); n > 0 {
		s := c.kills.texts[n-1]
		c.insertText(s, false)
		c.kills.yanked, c.kills.turn = c.pos, n-1
	}
}

// yankPop replaces what was just yanked with the kill before it.
func (c *Composer) yankPop() bool {
	k := &c.kills
	if len(k.texts) == 0 || k.yanked == 0 || k.yanked != c.pos {
		return false
	}
	old := k.texts[k.turn]
	k.turn = (k.turn + len(k.texts) - 1) % len(k.texts)
	next := c.buffer
	if len(old) > next.pos || next.text[next.pos-len(old):next.pos] != old {
		return false
	}
	next.cut(next.pos-len(old), next.pos)
	next.insert(k.texts[k.turn])
	c.change(next, false)
	k.yanked = c.pos
	return true
}
