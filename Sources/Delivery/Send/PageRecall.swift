/// The sender's pages of a run in waves, which are recalled when a wave closes.
struct PageRecall: Sendable {
    private struct Page {
        let numbers: [Int]
        let task: Task<Void, Never>
    }

    private var pages: [Int: Page] = [:]

    mutating func add(_ page: Int, to numbers: [Int], _ task: Task<Void, Never>) {
        pages[page] = Page(numbers: numbers, task: task)
    }

    mutating func remove(_ page: Int) {
        pages[page] = nil
    }

    /// Recalls each page with anybody who may not be sent to; the sender returns unsent pushes.
    func callOff(unless maySend: (Int) -> Bool) {
        for page in pages.values where !page.numbers.allSatisfy(maySend) { page.task.cancel() }
    }
}
