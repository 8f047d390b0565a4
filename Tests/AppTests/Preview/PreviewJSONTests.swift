import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct PreviewJSONTests {
    private func object(_ text: some DataProtocol) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
    }

    @Test("The JSON document and the JSON line have the same content")
    func jsonDocumentAndTheJSONLineHaveTheSameContent() throws {
        let json = PreviewJSON.object(try PreviewSamples.rich())
        let line = try json.line()
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
        let document = try object(json.document())
        func plain(_ object: [String: Any]) throws -> String {
            let data = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
            return String(decoding: data, as: UTF8.self)
        }
        #expect(try plain(document) == plain(object(line)))
    }

    @Test("The JSON contains everything that people can read")
    func jsonContainsEverythingThatPeopleCanRead() throws {
        let document = try object(PreviewJSON.object(PreviewSamples.rich()).line())
        #expect(document["would_send"] as? Bool == true)
        #expect(document["hub"] as? String == "contoso.example/news")
        let languages = try #require(document["languages"] as? [[String: Any]])
        #expect(languages.map { $0["language"] as? String } == [nil, "de"])
        let messages = try #require(document["messages"] as? [[String: Any]])
        #expect(messages.map { $0["user"] as? String } == ["alice", "bob"])
        let appearances = try #require(messages[1]["appearances"] as? [[String: Any]])
        #expect(appearances.map { $0["message"] as? String } == ["Hallo Bob!", "Short"])
        #expect(appearances[1]["platforms"] as? [String] == ["wns"])
        let content = try #require(messages[0]["content"] as? [String: Any])
        #expect(content["file"] as? String == "images/logo.png")
        #expect(content["bytes"] as? Int == 3)
        let remarks = try #require(document["remarks"] as? [[String: String]])
        #expect(remarks.map { $0["id"] } == ["fewer_people", "unused_language"])
    }

    @Test("The JSON lists the keys that changed since the run was staged")
    func jsonListsTheKeysThatChangedSinceTheRunWasStaged() throws {
        var model = PreviewSamples.secure()
        func changed() throws -> [String]? {
            let document = try object(PreviewJSON.object(model).line())
            return (document["now"] as? [String: Any])?["changed_since"] as? [String]
        }
        #expect(try changed() == [])
        model.outlook = PreviewOutlook(
            action: .proceed, run: ReportSamples.record(state: .paused), deliveries: 1,
            changed: ["audience", "payload"])
        #expect(try changed() == ["audience", "payload"])
    }

    @Test("The JSON for an alert has no content") func jsonForAnAlertHasNoContent() throws {
        let document = try object(PreviewJSON.object(PreviewSamples.alert("Hi")).line())
        let messages = try #require(document["messages"] as? [[String: Any]])
        #expect(messages.first?["content"] is NSNull)
    }
}
