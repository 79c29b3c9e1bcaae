package wardrobe

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"talaria/themes"
	"talaria/ui/screen"
)

// follow asks the terminal for its background, and for word when that becomes light or dark (mode 2031). A terminal that
// does not know the mode ignores it, as any mode; so nothing is asked first whose answer could be typed into the prompt.
func follow() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, tea.Raw(ansi.SetModeLightDark))
}

// Unfollow ends the word of light and dark: a program that runs in between would take it for keys.
func Unfollow() tea.Cmd { return tea.Raw(ansi.ResetModeLightDark) }

// told takes what the terminal says of its colours. What the user chose stays.
func told(s *screen.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		s.Back = themes.Light
		if msg.IsDark() {
			s.Back = themes.Dark
		}
		if !s.Chosen {
			s.Wear(s.Theme(msg.IsDark(), true))
		}
	case tea.ColorProfileMsg:
		s.Colours = depth(msg.Profile)
		s.Wear(s.Worn)
	case uv.DarkColorSchemeEvent, uv.LightColorSchemeEvent:
		return tea.RequestBackgroundColor // the report is of the system; the colour is the terminal's
	case tea.ResumeMsg:
		return follow()
	}
	return nil
}

// depth is how many colours a profile has.
func depth(p colorprofile.Profile) int {
	switch p {
	case colorprofile.TrueColor:
		return themes.TrueColours
	case colorprofile.ANSI256:
		return themes.Indexed
	case colorprofile.ANSI:
		return themes.Few
	case colorprofile.ASCII, colorprofile.NoTTY:
		return themes.Two
	}
	return 0
}
