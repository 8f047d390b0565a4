package import CampaignCore
package import Delivery
import Settings

package struct PreviewOrder: Sendable {
    package static let mostSamples = 100

    package var format: PreviewFormat
    /// Which sending of the campaign is previewed.
    package var mode: RunRequest.Mode
    package var rehearsal: Rehearsal?
    package var people: [Username]
    /// How many people to show, spread over the audience; nil: one per distinct message.
    package var samples: Int?
    /// Whether text and Markdown show the exact HTTP requests.
    package var showsRequests: Bool

    package init(
        format: PreviewFormat = .text, mode: RunRequest.Mode = .occurrence(.once),
        rehearsal: Rehearsal? = nil, people: [Username] = [], samples: Int? = nil,
        showsRequests: Bool = false
    ) {
        self.format = format
        self.mode = mode
        self.rehearsal = rehearsal
        self.people = people
        self.samples = samples
        self.showsRequests = showsRequests
    }

    /// Whether people's names and values are hidden, which is the default in build logs.
    func masksPeople(in invocation: Invocation) -> Bool {
        invocation.masksPeople && people.isEmpty && samples == nil
    }
}

package enum PreviewFormat: String, CaseIterable, Sendable {
    case text
    case json
    case markdown
    case html
}
