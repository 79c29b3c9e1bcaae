//go:build glamour

package main

import _ "charm.land/glamour/v2" // the rest of the toolkit: its tables are made before main
