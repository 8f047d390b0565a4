package import CampaignCore
package import Delivery
import Settings

/// What a preview is asked for.
package struct PreviewOrder: Sendable {
    /// How many people `--sample` shows at most.
    package static let mostSamples = 100

    /// How it is written.
    package var format: PreviewFormat
    /// Which sending of the campaign is asked about.
    package var mode: RunRequest.Mode
    /// The rehearsal that is asked about; nil: it is not a rehearsal.
    package var rehearsal: Rehearsal?
    /// People to show by name, who are in the audience.
    package var people: [Username]
    /// How many people to show, spread over the audience; nil: one for each distinct message.
    package var samples: Int?
    /// Whether the exact HTTP requests are shown in text and Markdown.
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

    /// Whether names and values of people are left out: in a build's log, unless they are asked for.
    ///
    /// - Parameter invocation: tells whether the output is a build's log.
    func masksPeople(in invocation: Invocation) -> Bool {
        invocation.masksPeople && people.isEmpty && samples == nil
    }
}

/// How a preview is written.
package enum PreviewFormat: String, CaseIterable, Sendable {
    case text
    case json
    case markdown
    case html
}
