/// What a part of a run has claimed and not yet written down.
///
/// The ledger is told when a claim is written down, so that nobody else settles it. One claim goes out in one page or in several.
struct OpenClaims: Sendable {
    /// The claim of each page that is out.
    private var claims: [Int: Int] = [:]
    /// How many pages of each claim are out.
    private var open: [Int: Int] = [:]
    private var answered: [Int] = []

    /// Notes a claim and the pages in which it goes out; a claim without pages is written down already.
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
    /// - Returns: the claims that are done.
    mutating func takeWritten() -> [Int] {
        defer { answered = [] }
        return answered
    }
}
