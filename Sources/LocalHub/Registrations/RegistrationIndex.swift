/// Finds registrations by id, tag, device and installation without looking at all of them.
///
/// A registration keeps its place while it exists; the place of a removed one is reused. Lists are
/// in the order of places.
struct RegistrationIndex: Sendable {
    private var slots: [Registration?] = []
    private var free: [Int] = []
    private var placeByID: [String: Int] = [:]
    private var placesByTag: [String: Set<Int>] = [:]
    private var placesByDevice: [DeviceAddress: Set<Int>] = [:]
    private var placesByInstallation: [String: Set<Int>] = [:]

    var count: Int { placeByID.count }

    var all: [Registration] { slots.compactMap(\.self) }

    subscript(id id: String) -> Registration? {
        placeByID[id].flatMap { slots[$0] }
    }

    mutating func put(_ registration: Registration) {
        let place: Int
        if let known = placeByID[registration.id] {
            unlink(at: known)
            place = known
        } else if let vacant = free.popLast() {
            place = vacant
        } else {
            place = slots.count
            slots.append(nil)
        }
        slots[place] = registration
        placeByID[registration.id] = place
        for tag in registration.tags { placesByTag[tag, default: []].insert(place) }
        placesByDevice[registration.device, default: []].insert(place)
        if let id = registration.installationID {
            placesByInstallation[id, default: []].insert(place)
        }
    }

    @discardableResult
    mutating func remove(id: String) -> Registration? {
        guard let place = placeByID.removeValue(forKey: id) else { return nil }
        let registration = slots[place]
        unlink(at: place)
        slots[place] = nil
        free.append(place)
        return registration
    }

    func registrations(ofInstallation id: String) -> [Registration] {
        registrations(at: placesByInstallation[id])
    }

    func registrations(of device: DeviceAddress) -> [Registration] {
        registrations(at: placesByDevice[device])
    }

    func registrations(carrying tag: String) -> [Registration] {
        registrations(at: placesByTag[tag])
    }

    private func registrations(at places: Set<Int>?) -> [Registration] {
        (places ?? []).sorted().compactMap { slots[$0] }
    }

    func places(carrying tag: String) -> Set<Int> {
        placesByTag[tag] ?? []
    }

    func places(of device: DeviceAddress) -> Set<Int> {
        placesByDevice[device] ?? []
    }

    /// The registrations that count for a send and match its expression; without one, all that
    /// count.
    ///
    /// It looks only at those with the rarest tags that the expression needs, or at all if it needs
    /// none (`!a`).
    func registrations(
        matching expression: TagExpression?, where isTarget: (Registration) -> Bool
    ) -> [Registration] {
        guard let expression else { return all.filter(isTarget) }
        return (candidates(for: expression).map { registrations(at: $0) } ?? all).filter {
            registration in
            isTarget(registration) && expression.holds { registration.tags.contains($0.text) }
        }
    }

    /// The places where an expression may match; nil: anywhere.
    private func candidates(for expression: TagExpression) -> Set<Int>? {
        switch expression {
        case .term(let term):
            return placesByTag[term.text] ?? []
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

    private mutating func unlink(at place: Int) {
        guard let registration = slots[place] else { return }
        for tag in registration.tags { Self.remove(place, from: &placesByTag, at: tag) }
        Self.remove(place, from: &placesByDevice, at: registration.device)
        if let id = registration.installationID {
            Self.remove(place, from: &placesByInstallation, at: id)
        }
    }

    private static func remove<Key>(
        _ place: Int, from places: inout [Key: Set<Int>], at key: Key
    ) {
        places[key]?.remove(place)
        if places[key]?.isEmpty == true { places[key] = nil }
    }
}

extension RegistrationIndex {
    /// A page of a listing; places do not change, so a listing misses no registration that was
    /// there all the time.
    func page(
        of candidates: Set<Int>?, from start: Int, limit: Int,
        where isListed: (Registration) -> Bool
    ) -> RegistrationPage {
        var page = RegistrationPage(registrations: [], nextPlace: nil)
        for place in candidates?.sorted() ?? Array(slots.indices) where place >= start {
            guard let registration = slots[place], isListed(registration) else { continue }
            // One more than fits shows that there is a next page, and where it begins.
            guard page.registrations.count < limit else {
                page.nextPlace = place
                break
            }
            page.registrations.append(registration)
        }
        return page
    }
}

struct RegistrationPage: Sendable {
    /// The usual and the largest page; the limit is this hub's own.
    static let mostEntries = 100

    fileprivate(set) var registrations: [Registration]
    /// Where the next page begins; nil on the last.
    fileprivate(set) var nextPlace: Int?

    /// A continuation token of letters, digits and `-` only, so that no client's encoding changes
    /// it.
    static func token(_ place: Int) -> String { "place-\(place)" }

    /// Throws a 400 for anything but a continuation token.
    static func place(token: String) throws(HubFailure) -> Int {
        guard let place = Int(token.dropFirst("place-".count)), place >= 0,
            self.token(place) == token
        else { throw .badRequest("The continuation token is not from this hub.") }
        return place
    }
}
