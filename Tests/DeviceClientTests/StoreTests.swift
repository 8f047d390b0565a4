import DeviceClient
import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct StoreTests {
    @Test("A registration ID survives a restart of the app")
    func registrationIDSurvivesARestartOfTheApp() async throws {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.file("kept/registration"))
        let store = FileRegistrationIDStore(file: file)
        #expect(try await store.registrationID() == nil)
        try await store.keep("123-456-1")
        #expect(try await FileRegistrationIDStore(file: file).registrationID() == "123-456-1")
        #expect(try folder.mode("kept/registration") == 0o600)
        #expect(try folder.mode("kept") == 0o700)
        try await store.keep(nil)
        #expect(try await FileRegistrationIDStore(file: file).registrationID() == nil)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("kept")) == [
                "registration"
            ])
    }

    @Test("An unreadable file causes an error and is not treated as an empty store")
    func unreadableFileCausesAnErrorAndIsNotTreatedAsAnEmptyStore() async throws {
        let folder = try TemporaryFolder()
        try folder.write([0xFF, 0xFE], to: "registration", mode: 0o600)
        let file = URL(filePath: folder.file("registration"))
        let store = FileRegistrationIDStore(file: file)
        let shown = FileShownNotificationStore(file: file)
        for error in [
            await #expect(throws: DeviceStoreError.self) { try await store.registrationID() },
            await #expect(throws: DeviceStoreError.self) { try await shown.contains(.sample) },
        ] {
            let error = try #require(error)
            guard case .unreadable(file, _) = error else {
                Issue.record("it was \(error)")
                continue
            }
            #expect(error.underlyingError is CocoaError)
            #expect(error.description.contains(file.path) && error.description.hasSuffix("."))
        }
    }

    @Test("Shown IDs survive a restart, up to a limit")
    func shownIDsSurviveARestartUpToALimit() async throws {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.file("shown"))
        let store = FileShownNotificationStore(file: file, limit: 2)
        for id in [NotificationID.sample, .sample, .other, .third] { try await store.insert(id) }
        let again = FileShownNotificationStore(file: file, limit: 2)
        #expect(try await !again.contains(.sample))
        #expect(try await again.contains(.other))
        #expect(try await again.contains(.third))
        #expect(try folder.mode("shown") == 0o600)
        #expect(try folder.contents() == ["shown"])
    }

    @Test("A removed ID stays removed after a restart")
    func removedIDStaysRemovedAfterARestart() async throws {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.file("shown"))
        let store = FileShownNotificationStore(file: file)
        for id in [NotificationID.sample, .other] { try await store.insert(id) }
        try await store.remove(.sample)
        let again = FileShownNotificationStore(file: file)
        #expect(try await !again.contains(.sample))
        #expect(try await again.contains(.other))
    }

    @Test("If the file cannot be written, an ID is not marked as shown")
    func ifTheFileCannotBeWrittenAnIDIsNotMarkedAsShown() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "no-folder", mode: 0o600)
        let file = URL(filePath: folder.file("no-folder/shown"))
        let store = FileShownNotificationStore(file: file)
        await #expect(throws: DeviceStoreError.self) { try await store.insert(.sample) }
        let registration = FileRegistrationIDStore(file: file)
        let error = await #expect(throws: DeviceStoreError.self) {
            try await registration.keep("1-2-3")
        }
        guard case .unwritable(file, _)? = error else {
            Issue.record("it was \(String(describing: error))")
            return
        }
        #expect(error?.description.contains(file.path) == true)
    }
}
