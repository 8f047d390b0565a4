/// What a part of a run has claimed and not yet written down: the ledger has to know when it is, so that nobody else settles it.
///
/// What is claimed at once goes out in one page or in several.
struct OpenClaims: Sendable {
    /// Which claim a page that is out is of.
    private var claims: [Int: Int] = [:]
    /// How many pages of a claim are out.
    private var open: [Int: Int] = [:]
    private var answered: [Int] = []

    /// Notes what was claimed, and the pages in which it goes out; without any, it is written down already.
    mutating func add(_ claim: Int, in pages: [Int]) {
        guard !pages.isEmpty else { return answered.append(claim) }
        open[claim] = pages.count
        for page in pages { claims[page] = claim }
    }

    /// All pushes of a page have their results.
    mutating func close(_ page: Int) {
        guard let claim = claims.removeValue(forKey: page), let left = open[claim] else { return }
        open[claim] = left > 1 ? left - 1 : nil
        if left == 1 { answered.append(claim) }
    }

    /// All results are written down.
    ///
    /// - Returns: what is done with.
    mutating func takeWritten() -> [Int] {
        defer { answered = [] }
        return answered
    }
}
