/// What Amazon Device Messaging refuses (reference, section 9).
enum ADMRules {
    /// The first fault of a payload, as a sentence; nil when there is none.
    static func fault(in payload: JSONObject) -> String? {
        guard let data = payload.object("data") else {
            return "The payload has no object data."
        }
        return data.holdsOnlyStrings ? nil : "data has a value that is not a string."
    }
}
