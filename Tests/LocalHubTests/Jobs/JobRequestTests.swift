import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct JobRequestTests {
    private static let here = "http://127.0.0.1:1/c?sig=s3cret"

    @Test(
        "A job with blobs on another machine returns 501 and the reason",
        arguments: [
            "https://account.blob.core.windows.net/c?sig=s3cret", "https://127.0.0.1:1/c",
            "http://account.blob.core.windows.net/c", "http://127.0.0.1.example/c",
            "http://2130706433/c", "http://127.1/c", "http://0.0.0.0/c", "http://[::2]/c",
            "http://192.168.0.1/c", "ftp://127.0.0.1/c",
        ])
    func jobWithBlobsOnAnotherMachineReturns501AndTheReason(address: String) async throws {
        let hub = try HubUnderTest()
        for body in [
            HubUnderTest.job("ExportRegistrations", output: address),
            HubUnderTest.job("ImportUpdateRegistrations", output: Self.here, input: address),
        ] {
            let response = try await hub.request(.post, "/hubsend/jobs", body: body)
            #expect(response.status == .notImplemented)
            #expect(response.text.contains("must be on this machine and use plain HTTP"))
            #expect(!response.text.contains("s3cret"))
            #expect(
                try await hub.request(.post, "/hubsend/jobs", token: nil, body: body).status
                    == .unauthorized)
        }
    }

    @Test(
        "A body that is not a job returns 400",
        arguments: [
            ("<entry/>", "not an Atom entry with a NotificationHubJob"),
            (HubUnderTest.job("Other", output: here), "its Type is not one of ExportRegistrations"),
            (HubUnderTest.job("ExportRegistrations", output: nil), "it has no OutputContainerUri"),
            (
                HubUnderTest.job("ImportCreateRegistrations", output: here),
                "an import requires an ImportFileUri"
            ),
            (HubUnderTest.job("ExportRegistrations", output: "c"), "is not an address"),
            (HubUnderTest.job("ExportRegistrations", output: "http://127.0.0.1/ c"), "not an"),
            (HubUnderTest.job("ExportRegistrations", output: "http://127.0.0.1/c#x"), "not an"),
            (HubUnderTest.job("ExportRegistrations", output: "http:///c"), "has no host"),
            (HubUnderTest.job("ExportRegistrations", output: "http://a:b@127.0.0.1/"), "no host"),
            (
                HubUnderTest.job("ExportRegistrations", output: "http://127.0.0.1:0/"),
                "port that is not between 1 and 65535"
            ),
            (
                HubUnderTest.job(
                    "ExportRegistrations",
                    output: "http://127.0.0.1/" + String(repeating: "x", count: 8_192)),
                "is not an address"
            ),
        ] as [(String, String)])
    func bodyThatIsNotAJobReturns400(body: String, text: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.post, "/hubsend/jobs", body: body)
        #expect(response.status == .badRequest)
        #expect(
            response.text.hasPrefix(
                "<Error><Code>400</Code><Detail>The supplied notificationhub job payload is "
                    + "invalid: "), "\(response.text)")
        #expect(response.text.contains(text), "\(response.text)")
    }

    @Test(
        "A job whose URL has the port of the hub returns 400",
        arguments: ["http://127.0.0.1/c", "http://localhost:80/hubsend", "http://[::1]:80/c"])
    func jobWhoseURLHasThePortOfTheHubReturns400(address: String) async throws {
        let hub = try HubUnderTest()
        for (name, body) in [
            ("OutputContainerUri", HubUnderTest.job("ExportRegistrations", output: address)),
            (
                "ImportFileUri",
                HubUnderTest.job("ImportCreateRegistrations", output: Self.here, input: address)
            ),
        ] {
            let response = try await hub.request(.post, "/hubsend/jobs", body: body)
            #expect(response.status == .badRequest)
            #expect(response.text.contains("\(name) has the port of this hub"))
        }
    }

    @Test(
        "The address of a blob keeps its container's query",
        arguments: [
            (
                "http://127.0.0.1:10000/acct/c?sig=x", "127.0.0.1", 10_000, "/acct/c/a//b%20c",
                "?sig=x"
            ),
            ("HTTP://LocalHost/c/", "localhost", 80, "/c/a//b%20c", ""),
            ("http://[::1]:8/", "[::1]", 8, "/a//b%20c", ""),
            ("http://127.9.9.9:8?sig=x", "127.9.9.9", 8, "/a//b%20c", "?sig=x"),
        ])
    func addressOfABlobKeepsItsContainersQuery(
        text: String, host: String, port: Int, path: String, query: String
    ) throws {
        let container = try BlobAddress(text, name: "OutputContainerUri")
        #expect(container.text == text)
        let blob = container.blob(named: "a//b c")
        #expect(blob.host == host)
        #expect(blob.port == port)
        #expect(blob.path == path)
        #expect(blob.query == query)
    }

    @Test("The description of an address hides its signature")
    func descriptionOfAnAddressHidesItsSignature() throws {
        let address = try BlobAddress(Self.here, name: "OutputContainerUri")
        var dumped = ""
        dump(address, to: &dumped)
        #expect(!"\(address) \(String(reflecting: address)) \(dumped)".contains("s3cret"))
    }

    @Test("Jobs that have ended make room for new ones") func jobsThatHaveEndedMakeRoomForNewOnes()
        throws
    {
        var jobs = HubJobs()
        func job(_ id: Int) throws -> HubJob {
            HubJob(
                id: "\(id)", kind: .export,
                output: try BlobAddress(Self.here, name: "OutputContainerUri"), input: nil,
                inputProperties: [], folder: "", created: HubUnderTest.now,
                updated: HubUnderTest.now)
        }
        for id in 1...HubJobs.most { try jobs.add(job(id)) }
        #expect(throws: HubFailure.self) { try jobs.add(job(0)) }
        jobs.update("7", at: HubUnderTest.now + 1) { $0.status = .failed }
        #expect(jobs["7"]?.updated == HubUnderTest.now + 1)
        try jobs.add(job(0))
        #expect(jobs["7"] == nil)
        #expect(jobs.all.count == HubJobs.most)
        #expect(jobs.all.first?.id == "0")
    }

    @Test("The input properties of a job are returned")
    func inputPropertiesOfAJobAreReturned() async throws {
        let hub = try HubUnderTest()
        let properties =
            "<InputProperties xmlns:d3p1=\"http://schemas.microsoft.com/2003/10/Serialization/"
            + "Arrays\"><d3p1:KeyValueOfstringstring><d3p1:Key>k</d3p1:Key><d3p1:Value>v&lt;"
            + "</d3p1:Value></d3p1:KeyValueOfstringstring></InputProperties>"
        let body = HubUnderTest.job("ExportRegistrations", output: Self.here)
            .replacing("</NotificationHubJob>", with: properties + "</NotificationHubJob>")
        let response = try await hub.request(.post, "/hubsend/jobs", body: body)
        #expect(response.text.contains("</OutputContainerUri>\(properties)<CreatedAt>"))
    }
}
