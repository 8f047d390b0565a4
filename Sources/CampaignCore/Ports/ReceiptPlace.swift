/// Where a store keeps what one recipient did with a run's notification; means nothing to anybody else.
package struct ReceiptPlace: Hashable, Sendable {
    /// The run's key in the store.
    package var run: Int64
    /// The recipient's number in the run.
    package var number: Int

    package init(run: Int64, number: Int) {
        self.run = run
        self.number = number
    }
}
