import CampaignCore
import HummingbirdCore

/// An answer, and what the audit says about it.
struct BackendReply {
    var response: Response
    /// What it was about; nil: what the route names.
    var what: String?
    var outcome = "ok"
    /// Where to write down, once it went out whole, that the payload was fetched; nil: nowhere.
    var receipt: ReceiptPlace?

    init(_ response: Response, about what: String? = nil, outcome: String = "ok") {
        self.response = response
        self.what = what
        self.outcome = outcome
    }
}
