/// Keeps runs and the outcomes of their deliveries; what a call wrote is durable when it returns.
package protocol RunLedger: StagingLedger, SendingLedger, RunHistory, RunControl {}
