package main

import "github.com/spf13/cobra"

func (a *app) scoreCommand() *cobra.Command {
	return &cobra.Command{Use: "score --ref REF CAPTURE...", Short: "score captured files against their reference"}
}

func (a *app) reportCommand() *cobra.Command {
	return &cobra.Command{Use: "report DIR", Short: "draw the results of a folder"}
}
