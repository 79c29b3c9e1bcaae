package terminal

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// byMark says that processes are found by the mark in their environment.
const byMark = true

// alive returns the living processes of t, zombies left out.
func (t tree) alive() []process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	parent, ours := map[int]int{}, map[int]bool{}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		st, ok := statOf(pid)
		if !ok {
			continue
		}
		pids = append(pids, pid)
		parent[pid] = st.parent
		ours[pid] = t.leads(pid, st) || t.marked(pid)
	}
	for grew := true; grew; { // a child of ours is ours
		grew = false
		for _, pid := range pids {
			if !ours[pid] && ours[parent[pid]] {
				ours[pid], grew = true, true
			}
		}
	}
	var all []process
	for _, pid := range pids {
		if ours[pid] {
			line, _ := os.ReadFile(procFile(pid, "cmdline"))
			all = append(all, process{pid, short(string(line))})
		}
	}
	return all
}

// leads reports whether the process is the shell itself, or in its group or session. The shell is our child: another
// process may have its number once it is gone.
func (t tree) leads(pid int, st stat) bool {
	if t.root <= 0 {
		return false
	}
	if pid == t.root {
		return st.parent == os.Getpid()
	}
	return st.group == t.root || st.session == t.root
}

func (t tree) marked(pid int) bool {
	env, err := os.ReadFile(procFile(pid, "environ"))
	if err != nil {
		return false
	}
	return bytes.HasPrefix(env, []byte(t.mark)) || bytes.Contains(env, []byte("\x00"+t.mark))
}

type stat struct{ parent, group, session int }

// statOf reads /proc/PID/stat; ok is false for a process that is gone or a zombie.
func statOf(pid int) (s stat, ok bool) {
	b, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return s, false
	}
	i := bytes.LastIndexByte(b, ')') // the name before it may hold anything
	f := strings.Fields(string(b[i+1:]))
	if i < 0 || len(f) < 4 || f[0] == "Z" || f[0] == "X" {
		return s, false
	}
	s.parent, _ = strconv.Atoi(f[1])
	s.group, _ = strconv.Atoi(f[2])
	s.session, _ = strconv.Atoi(f[3])
	return s, true
}

func procFile(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }
