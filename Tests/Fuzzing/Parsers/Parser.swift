import Foundation

/// A parser of bytes that come from outside.
///
/// For any input, it must not crash or read out of bounds, and it must keep the promises that are
/// checked next to it.
enum Parser: String, CaseIterable, Sendable {
    case answer, atom, audience, campaign, config, credentials, cron, devices, events, faults, feed
    case filter, forwarded, htpasswd, installation, json, multipart, plan, push, registration
    case tags, target, template, token, yaml

    /// Reads an input; an input that is refused is not a failure.
    func read(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        switch self {
        case .answer: ClientParsers.answer(bytes)
        case .atom: HubParsers.atom(bytes)
        case .audience: FormatParsers.audience(bytes)
        case .campaign: FormatParsers.campaign(bytes)
        case .config: FormatParsers.config(bytes)
        case .credentials: BackendParsers.credentials(text)
        case .cron: FormatParsers.cron(text)
        case .devices: FormatParsers.devices(bytes)
        case .events: DeviceParsers.events(bytes)
        case .faults: FormatParsers.faults(text)
        case .feed: ClientParsers.feed(bytes)
        case .filter: HubParsers.filter(text)
        case .forwarded: BackendParsers.forwarded(bytes)
        case .htpasswd: BackendParsers.htpasswd(bytes)
        case .installation: HubParsers.installation(bytes)
        case .json: HubParsers.json(bytes)
        case .multipart: HubParsers.multipart(bytes)
        case .plan: FormatParsers.plan(bytes)
        case .push: DeviceParsers.push(bytes)
        case .registration: BackendParsers.registration(bytes)
        case .tags:
            HubParsers.tags(text)
            ClientParsers.tags(text)
        case .target: ServingParsers.target(text)
        case .template: HubParsers.template(text)
        case .token: HubParsers.token(text)
        case .yaml: FormatParsers.yaml(bytes)
        }
    }
}

/// The result of parsing an input; nil if the parser refuses it.
func unlessRefused<Value>(_ parse: () throws -> Value) -> Value? {
    do {
        return try parse()
    } catch {
        return nil
    }
}
