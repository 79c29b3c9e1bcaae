// Package web reads pages and searches the web. What it returns is data from outside and marked as such.
//
// It refuses addresses that are not public, looked at where the connection is made and not only by name; redirects to
// another host, which the user was not asked about; and what is no text.
package web
