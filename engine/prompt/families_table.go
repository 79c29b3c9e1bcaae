package prompt

// families say which sections of families.md a model is told, by a piece of its name in small letters; all that fit count.
// The first row are families that tend to tell what they will do instead of doing it (BEHAVIOUR 12).
var families = []struct {
	names   []string
	section string
}{
	{[]string{"gpt", "codex", "gemini", "gemma", "grok", "glm", "qwen", "deepseek"}, "act"},
	{[]string{"gpt", "codex"}, "persist"},
	{[]string{"gemini", "gemma"}, "precise"},
}
