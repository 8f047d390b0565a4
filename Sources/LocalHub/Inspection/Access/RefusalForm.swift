/// How an error is written: it depends on whom a path is for.
enum RefusalForm {
    /// The XML document of the service, for its clients.
    case document
    /// A JSON object, for what is below `/.hubsend`.
    case json
    /// A line of text, for the page.
    case text

    /// Chooses by the target of a request, whether it can be read or not.
    ///
    /// - Parameters:
    ///   - target: the target as sent.
    ///   - isSigned: whether the request brings a token; then it is a client's, also at the path of the page.
    init(of target: String?, isSigned: Bool) {
        let target = target ?? ""
        do {
            let segments = try RequestTarget(target).segments
            if segments.isEmpty {
                self = isSigned ? .document : .text
            } else {
                self = InspectionPath.contains(segments) ? .json : .document
            }
        } catch {
            let path = target.prefix { $0 != "?" }.split(separator: "/")
            self = InspectionPath.contains(path) ? .json : .document
        }
    }
}
