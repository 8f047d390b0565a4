/// Finds installations by tag, by user and by id without looking at all of them.
struct InstallationIndex: Sendable {
    /// All installations; a place never changes its installation id.
    private(set) var installations: [Installation] = []
    private var placeByID: [String: Int] = [:]
    private var placesByTag: [String: Set<Int>] = [:]
    private var placesByUser: [String: Set<Int>] = [:]

    /// Adds an installation, or replaces the one of the same id.
    ///
    /// - Returns: its place; a new one is one behind the last.
    @discardableResult
    mutating func put(_ installation: Installation) -> Int {
        let place: Int
        if let known = placeByID[installation.id] {
            unlink(installations[known], at: known)
            installations[known] = installation
            place = known
        } else {
            place = installations.count
            installations.append(installation)
            placeByID[installation.id] = place
        }
        for tag in installation.tags { placesByTag[tag, default: []].insert(place) }
        if let user = installation.userID { placesByUser[user, default: []].insert(place) }
        return place
    }

    /// Whether an installation of this id is known.
    func contains(id: String) -> Bool {
        placeByID[id] != nil
    }

    /// The places of a platform's installations for which an expression holds, in no order.
    ///
    /// Costs as much as the expression's rarest necessary terms have installations; only an expression
    /// that needs none (`!a`) and a broadcast look at all.
    ///
    /// - Parameters:
    ///   - expression: the condition; nil: a broadcast.
    ///   - platform: the push service.
    /// - Returns: the places.
    func places(matching expression: TagExpression?, on platform: LocalHubPlatform) -> [Int] {
        guard let expression else {
            return installations.indices.filter { installations[$0].platform == platform }
        }
        return (candidates(for: expression) ?? Set(installations.indices)).filter { place in
            let installation = installations[place]
            return installation.platform == platform && expression.holds(installation.carries)
        }
    }

    /// The places that carry a term.
    func places(carrying term: TagTerm) -> Set<Int> {
        switch term {
        case .tag(let tag): placesByTag[tag] ?? []
        case .user(let user): placesByUser[user] ?? []
        case .installation(let id): placeByID[id].map { [$0] } ?? []
        }
    }

    /// The places outside which an expression cannot hold; nil: it may hold anywhere.
    private func candidates(for expression: TagExpression) -> Set<Int>? {
        switch expression {
        case .term(let term):
            return places(carrying: term)
        case .not:
            return nil
        case .all(let operands):
            return operands.compactMap(candidates).min { $0.count < $1.count }
        case .any(let operands):
            var union: Set<Int> = []
            for operand in operands {
                guard let places = candidates(for: operand) else { return nil }
                union.formUnion(places)
            }
            return union
        }
    }

    private mutating func unlink(_ installation: Installation, at place: Int) {
        for tag in installation.tags {
            placesByTag[tag]?.remove(place)
            if placesByTag[tag]?.isEmpty == true { placesByTag[tag] = nil }
        }
        guard let user = installation.userID else { return }
        placesByUser[user]?.remove(place)
        if placesByUser[user]?.isEmpty == true { placesByUser[user] = nil }
    }
}
