package terminal

// benign says what an exit code of a program means when it is no failure (BEHAVIOUR 8.16).
var benign = map[string]map[int]string{
	"grep":  {1: "no match"},
	"egrep": {1: "no match"},
	"fgrep": {1: "no match"},
	"rg":    {1: "no match"},
	"ag":    {1: "no match"},
	"diff":  {1: "the files differ"},
	"cmp":   {1: "the files differ"},
	"test":  {1: "the condition is false"},
	"[":     {1: "the condition is false"},
	"pgrep": {1: "no process matches"},
	"which": {1: "not found"},
}

// telling says what an exit code of a program means when it is one.
var telling = map[string]map[int]string{
	"curl": {6: "the host name could not be resolved", 7: "the connection was refused", 22: "the server answered with an error status",
		28: "the request timed out", 35: "the TLS handshake failed", 60: "the certificate could not be verified"},
	"find":  {1: "some paths could not be read"},
	"rsync": {23: "some files could not be transferred", 24: "some files vanished"},
	"git":   {128: "git gave up"},
}

// general says what the shell's own exit codes mean.
var general = map[int]string{
	126: "found, but it cannot be run",
	127: "command not found",
	130: "ended by SIGINT",
	134: "aborted",
	137: "killed by SIGKILL, perhaps for lack of memory",
	139: "crashed with a segmentation fault",
	141: "its output was closed (SIGPIPE)",
	143: "ended by SIGTERM",
}
