// Package uitest tells whole-screen stories: a test types, presses and pastes, lets an engine that it plays itself tell
// events, and looks at the screen. Time is the fake clock of testing/synctest, so a story of minutes takes milliseconds
// and always ends the same. After every message the screen is drawn and held to the two rules of any frame: exactly as
// many rows as the window, none wider.
//
// It refuses to know the screen: it drives any tea.Model. It is imported by tests only.
package uitest
