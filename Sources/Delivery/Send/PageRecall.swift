/// The pages of a run in waves that the sender has, so that they can be called off when a wave closes.
struct PageRecall: Sendable {
    private struct Page {
        /// One recipient of each push.
        let numbers: [Int]
        let task: Task<Void, Never>
    }

    private var pages: [Int: Page] = [:]

    /// Notes a page that was handed over.
    mutating func add(_ page: Int, to numbers: [Int], _ task: Task<Void, Never>) {
        pages[page] = Page(numbers: numbers, task: task)
    }

    /// Forgets a page that the sender is done with.
    mutating func remove(_ page: Int) {
        pages[page] = nil
    }

    /// Calls pages off: the sender gives back what of them it has not begun.
    ///
    /// - Parameter maySend: says whether somebody may be sent to; a page is called off for a single one who may not.
    func callOff(unless maySend: (Int) -> Bool) {
        for page in pages.values where !page.numbers.allSatisfy(maySend) { page.task.cancel() }
    }
}
