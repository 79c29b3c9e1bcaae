package terminal

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// alive returns the living processes of t, zombies and guardians left out.
func (t tree) alive() []process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	parent, ours, self := map[int]int{}, map[int]bool{}, os.Getpid()
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		st, ok := statOf(pid)
		if !ok {
			continue
		}
		pids = append(pids, pid)
		parent[pid] = st.parent
		ours[pid] = pid != self && t.marked(pid)
	}
	if g := t.guardian; g != nil && g.left() && (g.pid == self || parent[g.pid] == self) {
		ours[g.pid] = true // another process may have its number once it is gone
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
		if !ours[pid] || pid == self || t.guardian != nil && pid == t.guardian.pid {
			continue
		}
		line, _ := os.ReadFile(procFile(pid, "cmdline"))
		if strings.TrimRight(string(line), "\x00") != guardianName {
			all = append(all, process{pid, short(string(line))})
		}
	}
	return all
}

func (t tree) marked(pid int) bool {
	if t.mark == "" {
		return false
	}
	env, err := os.ReadFile(procFile(pid, "environ"))
	if err != nil {
		return false
	}
	return bytes.HasPrefix(env, []byte(t.mark)) || bytes.Contains(env, []byte("\x00"+t.mark))
}

type stat struct{ parent int }

// statOf reads /proc/PID/stat; ok is false for a process that is gone or a zombie.
func statOf(pid int) (s stat, ok bool) {
	b, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return s, false
	}
	i := bytes.LastIndexByte(b, ')') // the name before it may hold anything
	f := strings.Fields(string(b[i+1:]))
	if i < 0 || len(f) < 2 || f[0] == "Z" || f[0] == "X" {
		return s, false
	}
	s.parent, _ = strconv.Atoi(f[1])
	return s, true
}

func procFile(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }
