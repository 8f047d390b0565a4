import Foundation
import HTTPTypes

/// The names of the hubs as the service lists them to whoever asks the namespace itself, and for a hub that is not
/// there (reference, sections 0 and 13).
struct PublicListing {
    /// What the ids of the list and its entries begin with.
    let id: String
    /// When it was made.
    let updated: Date
    /// The hubs' names and addresses.
    let hubs: [(name: String, address: String)]

    /// Whether a request for the namespace itself is for the list: a browser that opens the page brings no token.
    static func isAsked(for request: HubRequest) -> Bool {
        request.target.segments.isEmpty && request.method == .get
            && request.headers["authorization"] != nil
    }

    /// The feed.
    var xml: String {
        let updated = XMLText.element("updated", ServiceTime.seconds(updated))
        let entries = hubs.enumerated().map { index, hub in
            "<entry>\(id(index + 2))<title type=\"text\">\(XMLText.escaped(hub.name))</title>"
                + "\(updated)<link rel=\"alternate\" href=\"\(XMLText.attribute(hub.address))\"/>"
                + "</entry>"
        }
        return "<feed xmlns=\"\(ServiceNamespace.atom)\">"
            + "<title type=\"text\">Publicly Listed Services</title>"
            + "<subtitle type=\"text\">This is the list of publicly-listed services currently "
            + "available.</subtitle>\(id(1))\(updated)<generator>Service Bus 1.1</generator>"
            + entries.joined() + "</feed>"
    }

    private func id(_ number: Int) -> String {
        XMLText.element("id", "uuid:\(id);id=\(number)")
    }
}
