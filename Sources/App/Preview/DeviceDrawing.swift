import CampaignCore

/// Draws a device that shows a message, as HTML.
struct DeviceDrawing {
    /// The length above which text is cut, in characters.
    private static let longestText = 1_200

    let platform: Platform
    let model: PreviewModel
    let message: PreviewMessage
    let appearance: PreviewAppearance

    /// Returns a `<figure>` element.
    func html() -> String {
        let moments = PreviewMoment.all(of: appearance, in: message, kind: model.kind)
        let cards = moments.map(card).joined()
        return """
            <figure class="device \(screen.classes)">
            <div class="screen">\(screen.frame)<div class="cards">\(cards)</div></div>
            <figcaption><b>\(platform)</b> \(screen.devices)</figcaption>
            </figure>

            """
    }

    /// The CSS classes, the device names for the caption, and the HTML that the screen shows above
    /// the notifications.
    private var screen: (classes: String, devices: String, frame: String) {
        switch platform.facts.screen {
        case .iPhone:
            (
                "phone ios", "iPhone, iPad",
                #"<div class="bar"><span>9:41</span><i class="island"></i><span class="signal"></span></div>"#
                    + #"<div class="lock"><span class="day">Tuesday 1 December</span><span class="clock">9:41</span></div>"#
            )
        case .android: ("phone android", "Android", Self.camera)
        case .tablet: ("tablet", "Amazon tablet", Self.camera)
        case .windows:
            (
                "desktop windows", "Windows",
                #"<div class="task"><i></i><i></i><i></i><span>9:41</span></div>"#
            )
        case .browser:
            (
                "desktop browser", "Browser",
                #"<div class="tabs"><i></i><i></i><i></i><span></span></div>"#
            )
        }
    }

    private static let camera =
        #"<div class="bar"><span>9:41</span><i class="camera"></i><span class="signal"></span></div>"#
        + #"<div class="lock"><span class="clock">9:41</span><span class="day">Tue, 1 Dec</span></div>"#

    private func card(_ moment: PreviewMoment) -> String {
        let time = moment.time == .atOnce ? "at first" : "after fetching"
        let label = model.kind.isSilent ? #"<p class="moment">\#(time)</p>"# : ""
        guard let text = moment.text else {
            return label + #"<p class="silence">\#(PreviewMoment.silence)</p>"#
        }
        let heads = TextKey.heads.compactMap { key in
            moment.heads[key].map {
                #"<p class="\#(key.rawValue)" dir="auto"\#(language)>\#(Self.shown($0))</p>"#
            }
        }
        return """
            \(label)<div class="card"><span class="icon" aria-hidden="true">A</span>\
            <div class="words"><p class="app"><span>Your app</span><span>now</span></p>\
            \(heads.joined())<p class="text" dir="auto"\(language)>\(Self.shown(text))</p></div></div>
            """
    }

    /// The `lang` attribute, for screen readers and line breaking.
    private var language: String {
        message.language.map { #" lang="\#(HTMLText.escape($0.text))""# } ?? ""
    }

    private static func shown(_ text: String) -> String {
        let shown = HTMLText.escape(String(text.prefix(longestText)))
        return text.count > longestText ? shown + "…" : shown
    }
}
