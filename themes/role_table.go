package themes

// roles lists every role in the order of UX 4.6. A role that is missing here cannot stand in a theme file.
var roles = []Role{
	Bg, Panel, CodeBg, RowSel, Border, BorderFocus, Fg, FgMuted, FgFaint, User, Assistant, Thinking, Tool,
	Success, Warning, Error, Info, Accent, Link, ModePlan, ModeAuto, ModeDanger,
	DiffAdd, DiffAddBg, DiffDel, DiffDelBg, SelFg, SelBg,
	SynKeyword, SynString, SynFunc, SynType, SynNumber, SynComment,
}

// surfaces are what text may stand on.
var surfaces = []Role{Bg, Panel, CodeBg, RowSel}

// textRoles are read as text, so each must reach the theme's floor on every surface.
var textRoles = []Role{
	Fg, FgMuted, User, Assistant, Thinking, Tool, Success, Warning, Error, Info, Accent, Link,
	ModePlan, ModeAuto, ModeDanger, SynKeyword, SynString, SynFunc, SynType, SynNumber, SynComment,
}

// lineRoles are drawn, not read: decoration and focus lines, at 3:1 on the background.
var lineRoles = []Role{BorderFocus, FgFaint}

// ownPairs stand on a background of their own, with the theme's floor.
var ownPairs = [][2]Role{{DiffAdd, DiffAddBg}, {DiffDel, DiffDelBg}, {SelFg, SelBg}}
