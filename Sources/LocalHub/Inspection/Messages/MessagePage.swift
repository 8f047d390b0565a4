/// A page of the list of messages, as JSON shows it.
struct MessagePage: Encodable {
    /// The newest come first.
    let messages: [MessageReport]
    /// The number of the hub's newest message when the list was made, whoever it is for.
    let newest: Int
    /// Whether there are older ones.
    ///
    /// With `after`, whether the hub may keep any that are not behind that number, whoever they are for.
    let older: Bool
}
