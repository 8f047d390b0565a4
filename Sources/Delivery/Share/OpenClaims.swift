/// Claims of a part that are not completely recorded.
///
/// The ledger is told when one is, so that nobody else settles it. A claim has one or more pages.
struct OpenClaims: Sendable {
    /// By page.
    private var claims: [Int: Int] = [:]
    /// Pages out, by claim.
    private var open: [Int: Int] = [:]
    private var answered: [Int] = []

    /// A claim without pages is already recorded.
    mutating func add(_ claim: Int, in pages: [Int]) {
        guard !pages.isEmpty else { return answered.append(claim) }
        open[claim] = pages.count
        for page in pages { claims[page] = claim }
    }

    mutating func close(_ page: Int) {
        guard let claim = claims.removeValue(forKey: page), let left = open[claim] else { return }
        open[claim] = left > 1 ? left - 1 : nil
        if left == 1 { answered.append(claim) }
    }

    /// Returns the finished claims; call once all results are recorded.
    mutating func takeWritten() -> [Int] {
        defer { answered = [] }
        return answered
    }
}
