/// Finds registrations by id, tag, device or installation without checking all of them.
///
/// A registration keeps its slot until it is removed; the slot is then reused. Lists are sorted by
/// slot.
struct RegistrationIndex: Sendable {
    private var slots: [Registration?] = []
    private var free: [Int] = []
    private var positionByID: [String: Int] = [:]
    private var positionsByTag: [String: Set<Int>] = [:]
    private var positionsByDevice: [DeviceAddress: Set<Int>] = [:]
    private var positionsByInstallation: [String: Set<Int>] = [:]

    var count: Int { positionByID.count }

    var all: [Registration] { slots.compactMap(\.self) }

    subscript(id id: String) -> Registration? {
        positionByID[id].flatMap { slots[$0] }
    }

    mutating func put(_ registration: Registration) {
        let position: Int
        if let known = positionByID[registration.id] {
            unlink(at: known)
            position = known
        } else if let vacant = free.popLast() {
            position = vacant
        } else {
            position = slots.count
            slots.append(nil)
        }
        slots[position] = registration
        positionByID[registration.id] = position
        for tag in registration.tags { positionsByTag[tag, default: []].insert(position) }
        positionsByDevice[registration.device, default: []].insert(position)
        if let id = registration.installationID {
            positionsByInstallation[id, default: []].insert(position)
        }
    }

    @discardableResult
    mutating func remove(id: String) -> Registration? {
        guard let position = positionByID.removeValue(forKey: id) else { return nil }
        let registration = slots[position]
        unlink(at: position)
        slots[position] = nil
        free.append(position)
        return registration
    }

    func registrations(ofInstallation id: String) -> [Registration] {
        registrations(at: positionsByInstallation[id])
    }

    func registrations(of device: DeviceAddress) -> [Registration] {
        registrations(at: positionsByDevice[device])
    }

    func registrations(carrying tag: String) -> [Registration] {
        registrations(at: positionsByTag[tag])
    }

    private func registrations(at positions: Set<Int>?) -> [Registration] {
        (positions ?? []).sorted().compactMap { slots[$0] }
    }

    func positions(carrying tag: String) -> Set<Int> {
        positionsByTag[tag] ?? []
    }

    func positions(of device: DeviceAddress) -> Set<Int> {
        positionsByDevice[device] ?? []
    }

    /// The targets that match a send's expression; without an expression, all targets.
    ///
    /// It checks only registrations that have the rarest of the tags that the expression requires,
    /// or all registrations if it requires none (`!a`).
    func registrations(
        matching expression: TagExpression?, where isTarget: (Registration) -> Bool
    ) -> [Registration] {
        guard let expression else { return all.filter(isTarget) }
        return (candidates(for: expression).map { registrations(at: $0) } ?? all).filter {
            registration in
            isTarget(registration) && expression.holds { registration.tags.contains($0.text) }
        }
    }

    /// The slots whose registrations may match an expression; nil means all slots.
    private func candidates(for expression: TagExpression) -> Set<Int>? {
        switch expression {
        case .term(let term):
            return positionsByTag[term.text] ?? []
        case .not:
            return nil
        case .all(let operands):
            return operands.compactMap(candidates).min { $0.count < $1.count }
        case .any(let operands):
            var union: Set<Int> = []
            for operand in operands {
                guard let positions = candidates(for: operand) else { return nil }
                union.formUnion(positions)
            }
            return union
        }
    }

    private mutating func unlink(at position: Int) {
        guard let registration = slots[position] else { return }
        for tag in registration.tags { Self.remove(position, from: &positionsByTag, at: tag) }
        Self.remove(position, from: &positionsByDevice, at: registration.device)
        if let id = registration.installationID {
            Self.remove(position, from: &positionsByInstallation, at: id)
        }
    }

    private static func remove<Key>(
        _ position: Int, from positions: inout [Key: Set<Int>], at key: Key
    ) {
        positions[key]?.remove(position)
        if positions[key]?.isEmpty == true { positions[key] = nil }
    }
}

extension RegistrationIndex {
    /// A page of a listing.
    ///
    /// Slots do not change, so a listing includes every registration that exists from its first
    /// page to its last.
    func page(
        of candidates: Set<Int>?, from start: Int, limit: Int,
        where isListed: (Registration) -> Bool
    ) -> RegistrationPage {
        var page = RegistrationPage(registrations: [], nextPosition: nil)
        for position in candidates?.sorted() ?? Array(slots.indices) where position >= start {
            guard let registration = slots[position], isListed(registration) else { continue }
            // One registration more than the limit is read, to find out whether there is a next
            // page and where it begins.
            guard page.registrations.count < limit else {
                page.nextPosition = position
                break
            }
            page.registrations.append(registration)
        }
        return page
    }
}

struct RegistrationPage: Sendable {
    /// The default and maximum size of a page; this limit is specific to the local hub.
    static let mostEntries = 100

    fileprivate(set) var registrations: [Registration]
    /// Where the next page begins; nil on the last page.
    fileprivate(set) var nextPosition: Int?

    /// A continuation token; it contains only letters, digits and `-`, so that no encoding changes
    /// it.
    static func token(_ position: Int) -> String { "place-\(position)" }

    /// Reads a continuation token; throws a 400 if the token is invalid.
    static func position(token: String) throws(HubFailure) -> Int {
        guard let position = Int(token.dropFirst("place-".count)), position >= 0,
            self.token(position) == token
        else { throw .badRequest("The continuation token is not from this hub.") }
        return position
    }
}
