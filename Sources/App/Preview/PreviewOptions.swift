import CampaignCore
import Delivery

struct PreviewOptions: Sendable {
    static let mostSamples = 100

    var format: PreviewFormat = .text
    /// The sending of the campaign that is previewed.
    var mode: RunRequest.Mode = .occurrence(.once)
    var rehearsal: Rehearsal?
    var people: [Username] = []
    /// How many people to show, spread over the audience; nil for one person per distinct message.
    var samples: Int?
    /// Whether text and Markdown show the exact HTTP requests.
    var showsRequests = false

    /// Whether people's names and values are hidden, which is the default in build logs.
    func masksPeople(in invocation: Invocation) -> Bool {
        invocation.masksPeople && people.isEmpty && samples == nil
    }
}

enum PreviewFormat: String, CaseIterable, Sendable {
    case text
    case json
    case markdown
    case html
}
