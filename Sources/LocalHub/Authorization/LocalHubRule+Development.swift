/// The well-known development rules.
///
/// Their keys are fixed and published, so that they can be written into a configuration once. They
/// protect nothing: the local hub listens on loopback only, and answers only where it is asked by a host of its own.
/// The names of the first and the last are those that the real service makes for every hub.
extension LocalHubRule {
    /// May register devices: Listen.
    package static let developmentListen = LocalHubRule(
        name: "DefaultListenSharedAccessSignature",
        key: "aHVic2VuZCBsb2NhbCBodWI6IGxpc3RlbiBvbmx5Li4=", claims: [.listen])

    /// May send: Send.
    package static let developmentSend = LocalHubRule(
        name: "DefaultSendSharedAccessSignature",
        key: "aHVic2VuZCBsb2NhbCBodWI6IHNlbmQgb25seS4uLi4=", claims: [.send])

    /// May do everything: Listen, Send, Manage.
    package static let developmentFull = LocalHubRule(
        name: "DefaultFullSharedAccessSignature",
        key: "aHVic2VuZCBsb2NhbCBodWI6IGZ1bGwgYWNjZXNzLi4=", claims: [.listen, .send, .manage])

    /// The three of them.
    package static let development = [developmentListen, developmentSend, developmentFull]
}
