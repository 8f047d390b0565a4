import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct RegistrationIndexTests {
    private func registration(
        _ id: String, _ platform: LocalHubPlatform = .apns, _ tags: [String] = [],
        user: String? = nil
    ) -> Registration {
        let special = ["$InstallationId:{\(id)}"] + (user.map { ["$UserId:{\($0)}"] } ?? [])
        return Registration(
            id: id, platform: platform, channel: .handle("handle"), tags: tags + special,
            installationID: id)
    }

    private func found(
        _ index: RegistrationIndex, _ expression: TagExpression?, _ platform: LocalHubPlatform
    ) -> [Int] {
        index.registrations(matching: expression) { $0.platform == platform }.compactMap {
            Int($0.id)
        }
    }

    private var index: RegistrationIndex {
        var index = RegistrationIndex()
        index.put(registration("0", .apns, ["a", "b"], user: "u"))
        index.put(registration("1", .apns, ["b"]))
        index.put(registration("2", .fcm, ["a"], user: "u"))
        index.put(registration("3", .apns, []))
        return index
    }

    @Test(
        "An expression finds the matching devices of the platform",
        arguments: [
            ("a", [0]), ("b", [0, 1]), ("a||b", [0, 1]), ("a&&b", [0]), ("b&&!a", [1]),
            ("!a", [1, 3]), ("!(a||b)", [3]), ("a||!b", [0, 3]), ("!a&&!b", [3]), ("none", []),
            ("$UserId:{u}", [0]), ("$InstallationId:{3}", [3]), ("$InstallationId:{2}", []),
            ("$InstallationId:{0}||$InstallationId:{3}", [0, 3]), ("A", []),
        ])
    func expressionFindsTheMatchingDevicesOfThePlatform(
        text: String, expected: [Int]
    ) throws {
        let expression = try TagExpressionParser.parse(text)
        #expect(found(index, expression, .apns) == expected)
    }

    @Test("A broadcast finds all registrations of the platform")
    func broadcastFindsAllRegistrationsOfThePlatform() {
        #expect(found(index, nil, .apns) == [0, 1, 3])
        #expect(found(index, nil, .fcm) == [2])
        #expect(found(index, nil, .wns).isEmpty)
    }

    @Test("A replaced registration is found only by its new tags")
    func replacedRegistrationIsFoundOnlyByItsNewTags() throws {
        var index = index
        index.put(registration("0", .fcm, ["c"]))
        index.put(registration("4", .fcm, ["c"]))
        let positions = { (text: String) in
            found(index, try TagExpressionParser.parse(text), .fcm)
        }
        #expect(try positions("c") == [0, 4])
        #expect(try positions("a") == [2])
        #expect(try positions("b") == [])
        #expect(try positions("$UserId:{u}") == [2])
    }

    @Test("A lookup is still fast with 20,000 devices")
    func lookupIsStillFastWith20000Devices() throws {
        var index = RegistrationIndex()
        for number in 0..<20_000 {
            index.put(registration("\(number)", .apns, ["username:u\(number)", "everyone"]))
        }
        // Checking all devices for each of these would take minutes.
        for number in stride(from: 0, to: 20_000, by: 10) {
            let one = TagExpression.term(.tag("username:u\(number)"))
            #expect(found(index, one, .apns) == [number])
            let both = TagExpression.all([.term(.tag("everyone")), one])
            #expect(found(index, both, .apns) == [number])
        }
        let twenty = TagExpression.any((0..<20).map { .term(.tag("username:u\($0)")) })
        #expect(found(index, twenty, .apns) == Array(0..<20))
    }

    @Test(
        "Pages list all registrations of a tag in order",
        arguments: [("few", 1_000, 3), ("few", 1_000, 10), ("many", 2, 1_000), ("all", 1, 999)])
    func pagesListAllRegistrationsOfATagInOrder(tag: String, step: Int, limit: Int) {
        var index = RegistrationIndex()
        for number in 0..<10_000 {
            let tags = [("few", 1_000), ("many", 2)].filter { number.isMultiple(of: $0.1) }
            index.put(registration("\(number)", .apns, tags.map(\.0) + ["all"]))
        }
        index.remove(id: "0")
        let expected = stride(from: step, to: 10_000, by: step).filter { $0 % 3 != 0 }
        var found: [Int] = []
        var start: Int? = 0
        var pages = 0
        while let position = start, pages <= expected.count {
            let page = index.page(of: index.positions(carrying: tag), from: position, limit: limit)
            {
                Int($0.id).map { !$0.isMultiple(of: 3) } == true
            }
            #expect(page.registrations.count == limit || page.nextPosition == nil)
            found += page.registrations.compactMap { Int($0.id) }
            start = page.nextPosition
            pages += 1
        }
        #expect(found == expected)
        #expect(pages == (expected.count + limit - 1) / limit)
    }

    @Test("A removed registration is not found, and its slot is reused")
    func removedRegistrationIsNotFoundAndItsSlotIsReused() throws {
        var index = index
        let found = index.remove(id: "0")
        let removed = try #require(found)
        let again = index.remove(id: "0")
        #expect(again == nil)
        #expect(index[id: "0"] == nil)
        #expect(index.registrations(carrying: "a").map(\.id) == ["2"])
        #expect(index.registrations(ofInstallation: "0").isEmpty)
        #expect(!index.registrations(of: removed.device).contains(removed))
        index.put(registration("5", .apns, ["a"]))
        #expect(index.count == 4)
        #expect(index.all.map(\.id) == ["5", "1", "2", "3"])
    }
}
