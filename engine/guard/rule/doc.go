// Package rule holds what allows or denies something without a question, and how far such a rule reaches. A rule's text
// is what stands on screen, in approvals.yaml and in the configuration, and it is the whole rule: reading the text back
// gives the same rule. A ladder is a row of rules for one request, from the narrowest to the widest that is offered.
package rule
