import CampaignCore
import FoundationEssentials
import Storage
import Testing

extension StorePromise {
    private static let (alice, bob) = (Username(checked: "alice"), Username(checked: "bob"))
    private static let (phone, tablet) = (handle(1), handle(2))

    private static func handle(_ byte: UInt8) -> HandleDigest {
        HandleDigest(bytes: [UInt8](repeating: byte, count: 32))
    }

    package static let registrations = [
        StorePromise("An issued ID belongs to its user") { test in
            try await test.store.issue("1-1", to: alice, handle: phone, at: Samples.start)
            try await test.store.issue("1-2", to: bob, handle: nil, at: Samples.start + 1)
            let other = try test.reopen()
            #expect(
                try await other.registration("1-1")
                    == DeviceRegistration(
                        id: "1-1", user: alice, platform: nil, handle: phone,
                        updated: Samples.start))
            #expect(try await other.registration("1-2")?.handle == nil)
            #expect(try await other.registration("1-3") == nil)
        },
        StorePromise("Another user's ID cannot be taken over") { test in
            try await test.store.issue("1-1", to: alice, handle: phone, at: Samples.start)
            let store = test.store
            await #expect(throws: StoreError.registrationTaken) {
                try await store.issue("1-1", to: bob, handle: tablet, at: Samples.start + 9)
            }
            let kept = try await test.store.registration("1-1")
            #expect(kept?.user == alice)
            #expect(kept?.handle == phone)
            #expect(kept?.updated == Samples.start)
        },
        StorePromise("Issuing an ID again keeps the hub's registration") { test in
            try await test.store.issue("1-1", to: alice, handle: nil, at: Samples.start)
            _ = try await test.store.use(
                "1-1", of: alice, platform: .apns, handle: phone, at: Samples.start + 1)
            try await test.store.issue("1-1", to: alice, handle: nil, at: Samples.start + 2)
            let again = try await test.store.registration("1-1")
            #expect(again?.platform == .apns)
            #expect(again?.handle == phone)
            #expect(again?.updated == Samples.start + 2)
        },
        StorePromise("A user's registrations are listed by last use, newest first") { test in
            for (index, id) in ["1-1", "1-2", "1-3"].enumerated() {
                try await test.store.issue(
                    id, to: alice, handle: index == 1 ? tablet : phone,
                    at: Samples.start + Double(index))
            }
            try await test.store.issue("2-1", to: bob, handle: phone, at: Samples.start + 9)
            _ = try await test.store.use(
                "1-1", of: alice, platform: .fcm, handle: phone, at: Samples.start + 5)
            let store = test.store
            func ids(_ handle: HandleDigest?, limit: Int = 9) async throws -> [String] {
                try await store.registrations(of: alice, handle: handle, limit: limit).map(\.id)
            }
            #expect(try await ids(nil) == ["1-1", "1-3", "1-2"])
            #expect(try await ids(nil, limit: 2) == ["1-1", "1-3"])
            #expect(try await ids(phone) == ["1-1", "1-3"])
            #expect(try await ids(handle(3)) == [])
        },
        StorePromise("A phone with a new user leaves its former IDs without a user") { test in
            for (id, user) in [("1-1", alice), ("1-2", alice), ("2-1", bob), ("2-2", bob)] {
                try await test.store.issue(id, to: user, handle: nil, at: Samples.start)
            }
            _ = try await test.store.use(
                "1-1", of: alice, platform: .apns, handle: phone, at: Samples.start)
            _ = try await test.store.use(
                "1-2", of: alice, platform: .fcm, handle: phone, at: Samples.start)
            _ = try await test.store.use(
                "2-1", of: bob, platform: .apns, handle: tablet, at: Samples.start)
            let gone = try await test.store.use(
                "2-2", of: bob, platform: .apns, handle: phone, at: Samples.start + 1)
            #expect(gone == ["1-1"])
            #expect(try await test.store.registration("1-1") == nil)
            let used = try await test.store.registration("2-2")
            #expect(used?.platform == .apns)
            #expect(used?.handle == phone)
            #expect(used?.updated == Samples.start + 1)
            for id in ["1-2", "2-1"] { #expect(try await test.store.registration(id) != nil) }
        },
        StorePromise("An ID that a phone no longer uses is listed until it is forgotten") { test in
            for (id, user) in [("1-1", alice), ("2-1", bob)] {
                try await test.store.issue(id, to: user, handle: nil, at: Samples.start)
                _ = try await test.store.use(
                    id, of: user, platform: .apns, handle: phone, at: Samples.start)
            }
            func others() async throws -> [String] {
                try await test.store.use(
                    "2-1", of: bob, platform: .apns, handle: phone, at: Samples.start + 1)
            }
            #expect(try await others() == ["1-1"])
            #expect(try await others() == ["1-1"])
            let again = try await test.store.use(
                "1-1", of: alice, platform: .apns, handle: phone, at: Samples.start + 2)
            #expect(again.isEmpty)
            let held = try await test.store.registrations(of: alice, handle: nil, limit: 9)
            #expect(held.isEmpty)
            try await test.store.forget("1-1")
            #expect(try await others().isEmpty)
        },
        StorePromise("Another user's ID is not used and takes over no handle") { test in
            try await test.store.issue("1-1", to: alice, handle: nil, at: Samples.start)
            try await test.store.issue("2-1", to: bob, handle: nil, at: Samples.start)
            _ = try await test.store.use(
                "1-1", of: alice, platform: .apns, handle: phone, at: Samples.start)
            for id in ["1-1", "9-9"] {
                let gone = try await test.store.use(
                    id, of: bob, platform: .apns, handle: phone, at: Samples.start + 1)
                #expect(gone.isEmpty)
            }
            #expect(try await test.store.registration("1-1")?.user == alice)
            #expect(try await test.store.registration("1-1")?.updated == Samples.start)
        },
        StorePromise("A forgotten ID can be issued to another user") { test in
            try await test.store.issue("1-1", to: alice, handle: phone, at: Samples.start)
            try await test.store.forget("1-1")
            try await test.store.forget("1-1")
            #expect(try await test.store.registration("1-1") == nil)
            try await test.store.issue("1-1", to: bob, handle: nil, at: Samples.start)
            #expect(try await test.store.registration("1-1")?.user == bob)
        },
    ]
}
