import HTTPTypes
import TestBackend
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct JobTests {
    private static let service =
        "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"

    private static func row(
        _ kind: String, _ id: String, _ inner: String, tags: String? = "a,b"
    ) -> String {
        "<RegistrationDescription xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" "
            + "i:type=\"\(kind)\" xmlns=\"\(service)\"><ETag>1</ETag>"
            + "<ExpirationTime>9999-12-31T23:59:59.9999999Z</ExpirationTime>"
            + "<RegistrationId>\(id)</RegistrationId>"
            + (tags.map { "<Tags>\($0)</Tags>" } ?? "") + "\(inner)</RegistrationDescription>"
    }

    private static let apple = row(
        "AppleRegistrationDescription", "1-1-1", "<DeviceToken>AB12</DeviceToken>")

    private func put(_ id: String, _ kind: String, _ inner: String, _ hub: HubUnderTest)
        async throws
    {
        let body = RegistrationRequestTests.body(kind, inner)
        let put = try await hub.request(.put, "/hubsend/registrations/\(id)", body: body)
        #expect(put.status == .ok)
    }

    @Test("The response to a new job has the recorded format")
    func responseToANewJobHasTheRecordedFormat() async throws {
        try await BlobStore().run { hub, container in
            let response = try await hub.submit("ImportCreateRegistrations", container, input: "in")
            #expect(response.status == .created)
            #expect(
                response.header("Content-Type") == "application/atom+xml; type=entry; charset=utf-8"
            )
            let id = try #require(response.locationID)
            #expect(id.hasPrefix("2516350787999999999"))
            #expect(id.count == 19 + 36)
            let url = "http://localhost/hubsend/jobs/\(id)?api-version=2020-06"
            #expect(response.header("Location") == url)
            let signature = BlobStore.signature.replacing("&", with: "&amp;")
            #expect(
                response.text == "<entry xmlns=\"http://www.w3.org/2005/Atom\"><id>\(url)</id>"
                    + "<title type=\"text\">\(id)</title>"
                    + "<published>2025-12-31T23:00:00Z</published>"
                    + "<updated>2025-12-31T23:00:00Z</updated>"
                    + "<link rel=\"self\" href=\"\(url)\"/><content type=\"application/xml\">"
                    + "<NotificationHubJob xmlns=\"\(Self.service)\" "
                    + "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\"><JobId>\(id)</JobId>"
                    + "<Type>ImportCreateRegistrations</Type>"
                    + "<OutputContainerUri>\(container)?\(signature)</OutputContainerUri>"
                    + "<ImportFileUri>\(container)/in?\(signature)</ImportFileUri>"
                    + "<CreatedAt>2025-12-31T23:00:00.0000000Z</CreatedAt>"
                    + "<UpdatedAt>2025-12-31T23:00:00.0000000Z</UpdatedAt>"
                    + "</NotificationHubJob></content></entry>")
        }
    }

    @Test("An export has one row per registration")
    func exportHasOneRowPerRegistration() async throws {
        let store = BlobStore()
        try await store.run { hub, container in
            try await put(
                "1-1-1", "AppleRegistrationDescription", "<DeviceToken>ab12</DeviceToken>", hub)
            try await put(
                "2-2-2", "GcmTemplateRegistrationDescription",
                "<GcmRegistrationId>g</GcmRegistrationId><BodyTemplate>{\"a\":\n\"&lt;]]&gt;\"}"
                    + "</BodyTemplate><TemplateName>news</TemplateName>", hub)
            let (id, job) = try await hub.finish("ExportRegistrations", container)
            let path = "localhost//hubsend/\(id)/Output.txt"
            #expect(
                store.lines(of: "/acct/c/\(path)") == [
                    Self.apple,
                    Self.row(
                        "GcmTemplateRegistrationDescription", "2-2-2",
                        "<GcmRegistrationId>g</GcmRegistrationId><BodyTemplate>{\"a\":&#xA;"
                            + "\"&lt;]]&gt;\"}</BodyTemplate><TemplateName>news</TemplateName>"),
                ])
            #expect(
                job.contains(
                    "<JobId>\(id)</JobId><Progress>100</Progress><Type>ExportRegistrations</Type>"
                        + "<Status>Completed</Status><OutputContainerUri>"))
            #expect(
                job.contains(
                    "<OutputProperties xmlns:d3p1=\"http://schemas.microsoft.com/2003/10/"
                        + "Serialization/Arrays\"><d3p1:KeyValueOfstringstring>"
                        + "<d3p1:Key>OutputFilePath</d3p1:Key><d3p1:Value>\(path)</d3p1:Value>"
                        + "</d3p1:KeyValueOfstringstring></OutputProperties><CreatedAt>"))
        }
    }

    @Test("An export of one hub can be imported by another")
    func exportOfOneHubCanBeImportedByAnother() async throws {
        let store = BlobStore()
        try await store.run { hub, container in
            #expect(try await hub.request(.put, "/second").status == .created)
            for (number, kind) in RegistrationKindFixture.all.enumerated() {
                try await put("\(number + 1)-2-3", kind.element, kind.sent, hub)
            }
            let export = try await hub.finish("ExportRegistrations", container)
            let file = "localhost//hubsend/\(export.id)/Output.txt"
            let (id, job) = try await hub.finish(
                "ImportCreateRegistrations", container, input: file, hub: "second")
            #expect(job.contains("<Status>Completed</Status>"))
            #expect(store["/acct/c/localhost//second/\(id)/Failed.txt"] == "")
            for number in 1...RegistrationKindFixture.all.count {
                let uri = "registrations/\(number)-2-3"
                let first = try await hub.request(.get, "/hubsend/\(uri)").text
                let second = try await hub.request(.get, "/second/\(uri)").text
                #expect(second == first.replacing("/hubsend/", with: "/second/"))
            }
            let again = try await hub.finish(
                "ImportCreateRegistrations", container, input: file, hub: "second")
            #expect(store["/acct/c/localhost//second/\(again.id)/Output.txt"] == "")
            let failed = store.lines(of: "/acct/c/localhost//second/\(again.id)/Failed.txt")
            #expect(failed.count == RegistrationKindFixture.all.count)
            #expect(failed.first == "1,Conflict,A registration with this id already exists.")
        }
    }

    @Test(
        "An import reports the result of each row",
        arguments: [
            ("ImportCreateRegistrations", ["4", "5"], ["1,Conflict", "3,BadRequest"], 3),
            (
                "ImportUpdateRegistrations", ["1"],
                ["3,BadRequest", "4,NotFound", "5,BadRequest"], 1
            ),
            ("ImportUpsertRegistrations", ["1", "4"], ["3,BadRequest", "5,BadRequest"], 2),
            (
                "ImportDeleteRegistrations", ["1"],
                ["3,BadRequest", "4,NotFound", "5,BadRequest"], 0
            ),
        ] as [(String, [String], [String], Int)])
    func importReportsTheResultOfEachRow(
        kind: String, done: [String], failed: [String], left: Int
    ) async throws {
        let unknown = Self.apple.replacing("1-1-1", with: "2-2-2").replacing("AB12", with: "CD34")
        let nameless = Self.apple.replacing("<RegistrationId>1-1-1</RegistrationId>", with: "")
        let rows = [Self.apple.replacing("a,b", with: "c"), "", "no xml", unknown, nameless]
        let store = BlobStore(["/acct/c/in.txt": "\u{FEFF}" + rows.map { $0 + "\r\n" }.joined()])
        try await store.run { hub, container in
            try await put(
                "1-1-1", "AppleRegistrationDescription", "<DeviceToken>ab12</DeviceToken>", hub)
            let (id, job) = try await hub.finish(kind, container, input: "in.txt")
            #expect(job.contains("<Progress>100</Progress>"))
            #expect(job.contains("<Status>Completed</Status>"))
            let folder = "localhost//hubsend/\(id)"
            #expect(job.contains("<d3p1:Value>\(folder)/Output.txt</d3p1:Value>"))
            #expect(
                job.contains(
                    "<d3p1:Key>FailedFilePath</d3p1:Key><d3p1:Value>\(folder)/Failed.txt<"))
            let output = store.lines(of: "/acct/c/\(folder)/Output.txt")
            #expect(output.map { String($0.prefix { $0 != "," }) } == done)
            #expect(output.allSatisfy { $0.contains(",<RegistrationDescription xmlns:i=") })
            let reasons = store.lines(of: "/acct/c/\(folder)/Failed.txt")
            #expect(
                reasons.map { $0.split(separator: ",").prefix(2).joined(separator: ",") } == failed)
            #expect(reasons.allSatisfy { $0.hasSuffix(".") })
            let listed = try await hub.request(.get, "/hubsend/registrations").text
            #expect(listed.ranges(of: "<entry ").count == left)
            let isChanged = ["ImportUpdateRegistrations", "ImportUpsertRegistrations"]
                .contains(kind)
            #expect(listed.contains("<Tags>c</Tags>") == isChanged)
        }
    }

    @Test(
        "A job that cannot read its file fails with a reason",
        arguments: [
            (
                "nothing", nil,
                "The blob at ImportFileUri returned status 404; check its name and its signature."
            ),
            (
                "moved", ScriptedAnswer(status: 302, headers: ["Location": "http://127.0.0.1:1/"]),
                "The blob at ImportFileUri returned status 302, but a local hub does not follow "
                    + "redirects."
            ),
            (
                "large", ScriptedAnswer(status: 200, body: Array("12345678901".utf8)),
                "The blob at ImportFileUri has more than 10 bytes, the limit for a job."
            ),
        ] as [(String, ScriptedAnswer?, String)])
    func jobThatCannotReadItsFileFailsWithAReason(
        name: String, answer: ScriptedAnswer?, sentence: String
    ) async throws {
        let store = BlobStore()
        try await store.run {
            $0.limits.blobBytes = 10
        } script: {
            answer ?? store.answer($0)
        } _: { hub, container in
            let (_, job) = try await hub.finish(
                "ImportDeleteRegistrations", container, input: name)
            #expect(job.contains("<Status>Failed</Status>"))
            #expect(job.contains("<Failure>\(sentence)</Failure>"), "\(job)")
        }
    }

    @Test("A job that cannot write its file fails with a reason")
    func jobThatCannotWriteItsFileFailsWithAReason() async throws {
        let nowhere = "http://127.0.0.1:1/c"
        try await HubUnderTest.run { hub in
            let (_, job) = try await hub.finish("ExportRegistrations", nowhere)
            #expect(
                job.contains(
                    "<Failure>The blob Output.txt in OutputContainerUri could not be reached; "
                        + "start the blob store.</Failure>"), "\(job)")
        }
    }

    @Test("A blob store that never answers makes the job fail")
    func blobStoreThatNeverAnswersMakesTheJobFail() async throws {
        try await BlobStore().run {
            $0.limits.blobTimeout = .milliseconds(50)
        } script: { _ in
            ScriptedAnswer(status: 200, body: [1], hangs: true)
        } _: { hub, container in
            let (_, job) = try await hub.finish("ExportRegistrations", container)
            #expect(
                job.contains(
                    "<Failure>The blob Output.txt in OutputContainerUri did not answer in time."),
                "\(job)")
        }
    }

    @Test("The size of an export is limited") func sizeOfAnExportIsLimited() async throws {
        try await BlobStore().run {
            $0.limits.blobBytes = 100
            $0.devices = [LocalHubDevice(user: "alice", platform: .apns)]
        } _: { hub, container in
            let (_, job) = try await hub.finish("ExportRegistrations", container)
            #expect(job.contains("<Failure>The export has more than 100 bytes"))
        }
    }

    /// The reason why a row failed can be much longer than the row.
    @Test("The list of failed rows is limited") func listOfFailedRowsIsLimited() async throws {
        let store = BlobStore(["/acct/c/in.txt": String(repeating: "x\n", count: 10)])
        try await store.run {
            $0.limits.blobBytes = 100
        } _: { hub, container in
            let (_, job) = try await hub.finish(
                "ImportCreateRegistrations", container, input: "in.txt")
            #expect(
                job.contains(
                    "<Failure>The list of failed rows has more than 100 bytes"
                ), "\(job)")
        }
    }

    @Test("Listing jobs requires the Manage right, and the newest job is listed first")
    func listingJobsRequiresTheManageRightAndTheNewestJobIsListed() async throws {
        try await BlobStore().run { hub, container in
            let first = try await hub.finish("ExportRegistrations", container)
            let second = try await hub.finish("ExportRegistrations", container)
            let uri = "/hubsend/Jobs?api-version=2020-06"
            let list = try await hub.request(.get, uri)
            #expect(list.header("Content-Type") == "application/atom+xml; type=feed; charset=utf-8")
            #expect(
                list.text.hasPrefix(
                    "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title type=\"text\">jobs</title>"
                        + "<id>http://localhost\(uri)</id>"))
            let ids = list.text.matches(of: /<JobId>([^<]*)</).map { String($0.output.1) }
            #expect(ids == [second.id, first.id])
            let read = try await hub.request(.get, "/hubsend/jobs/\(first.id)?api-version=2020-06")
            // As recorded, the ID occurs twice.
            #expect(
                read.header("Content-Location")
                    == "http://localhost/hubsend/jobs/\(first.id)/\(first.id)?api-version=2020-06")
            #expect(try await hub.request(.get, "/hubsend/jobs/x").status == .notFound)
            for rule in [LocalHubRule.developmentSend, .developmentListen] {
                let refused = try await hub.request(.get, uri, token: TestToken.make(rule))
                #expect(refused.status == .forbidden)
            }
        }
    }
}
