/// Stores runs and the outcomes of their deliveries.
///
/// A call's writes are durable when it returns.
package protocol RunLedger: StagingLedger, SendingLedger, RunHistory, RunControl {}
