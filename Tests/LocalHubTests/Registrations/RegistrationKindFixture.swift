import Testing

/// A registration of one kind, as a client sends it and as it comes back.
struct RegistrationKindFixture: Sendable, CustomTestStringConvertible {
    let element: String
    /// The elements after the tags, as sent.
    let sent: String
    /// The elements after the tags, which are `a,b`, as returned.
    let returned: String

    var testDescription: String { element }

    /// Every platform, native and with a template.
    static let all = [
        native("Apple", "<DeviceToken>ab12</DeviceToken>", "<DeviceToken>AB12</DeviceToken>"),
        RegistrationKindFixture(
            element: "AppleTemplateRegistrationDescription",
            sent: "<DeviceToken>ab12</DeviceToken><BodyTemplate><![CDATA[{\"a\":\"$(b)\"}]]>"
                + "</BodyTemplate><TemplateName>news</TemplateName>",
            returned: "<DeviceToken>AB12</DeviceToken><BodyTemplate><![CDATA[{\"a\":\"$(b)\"}]]>"
                + "</BodyTemplate><Expiry i:nil=\"true\"/><TemplateName>news</TemplateName>"
                + "<ApnsHeaders/>"),
        RegistrationKindFixture(
            element: "AppleTemplateRegistrationDescription",
            sent: "<ApnsHeaders><ApnsHeader><Header>apns-push-type</Header><Value>alert</Value>"
                + "</ApnsHeader></ApnsHeaders><Priority>5</Priority><Expiry>$(expiry)</Expiry>"
                + "<BodyTemplate>{}</BodyTemplate><DeviceToken>AB12</DeviceToken>",
            returned: "<DeviceToken>AB12</DeviceToken><BodyTemplate><![CDATA[{}]]></BodyTemplate>"
                + "<Expiry>$(expiry)</Expiry><TemplateName i:nil=\"true\"/><Priority>5</Priority>"
                + "<ApnsHeaders><ApnsHeader>"
                + "<Header>apns-push-type</Header><Value>alert</Value></ApnsHeader></ApnsHeaders>"),
        native("FcmV1", "<FcmV1RegistrationId>f</FcmV1RegistrationId>"),
        template("FcmV1", "<FcmV1RegistrationId>f</FcmV1RegistrationId>"),
        native("Gcm", "<GcmRegistrationId>g</GcmRegistrationId>"),
        template("Gcm", "<GcmRegistrationId>g</GcmRegistrationId>"),
        native("Windows", "<ChannelUri>https://w/?a=1&amp;b=2</ChannelUri>"),
        RegistrationKindFixture(
            element: "WindowsTemplateRegistrationDescription",
            sent: "<ChannelUri>https://w/?a=1&amp;b=2</ChannelUri><SecondaryTileName>t"
                + "</SecondaryTileName><BodyTemplate>&lt;toast/&gt;</BodyTemplate><WnsHeaders>"
                + "<WnsHeader><Header>X-WNS-Type</Header><Value>wns/toast</Value></WnsHeader>"
                + "</WnsHeaders><TemplateName>n</TemplateName>",
            returned: "<ChannelUri>https://w/?a=1&amp;b=2</ChannelUri><SecondaryTileName>t"
                + "</SecondaryTileName><BodyTemplate><![CDATA[<toast/>]]></BodyTemplate>"
                + "<WnsHeaders><WnsHeader><Header>X-WNS-Type</Header><Value>wns/toast</Value>"
                + "</WnsHeader></WnsHeaders><TemplateName>n</TemplateName>"),
        native(
            "Mpns", "<ChannelUri>https://m</ChannelUri><SecondaryTileName>t</SecondaryTileName>"),
        RegistrationKindFixture(
            element: "MpnsTemplateRegistrationDescription",
            sent: "<ChannelUri>https://m</ChannelUri><BodyTemplate>b</BodyTemplate><MpnsHeaders>"
                + "<MpnsHeader><Header>h</Header><Value/></MpnsHeader></MpnsHeaders>",
            returned: "<ChannelUri>https://m</ChannelUri><BodyTemplate><![CDATA[b]]>"
                + "</BodyTemplate><MpnsHeaders><MpnsHeader><Header>h</Header><Value></Value>"
                + "</MpnsHeader></MpnsHeaders><TemplateName i:nil=\"true\"/>"),
        native("Adm", "<AdmRegistrationId>d</AdmRegistrationId>"),
        template("Adm", "<AdmRegistrationId>d</AdmRegistrationId>"),
        native(
            "Baidu", "<BaiduUserId>u</BaiduUserId><BaiduChannelId>c</BaiduChannelId>"),
        template(
            "Baidu", "<BaiduUserId>u</BaiduUserId><BaiduChannelId>c</BaiduChannelId>",
            more: "<MessageType>1</MessageType>"),
        native(
            "Browser", "<Endpoint>https://e</Endpoint><P256DH>p</P256DH><Auth>s</Auth>"),
        template(
            "Browser", "<Endpoint>https://e</Endpoint><P256DH>p</P256DH><Auth>s</Auth>"),
        native("Xiaomi", "<XiaomiRegistrationId>x</XiaomiRegistrationId>"),
        template("Xiaomi", "<XiaomiRegistrationId>x</XiaomiRegistrationId>"),
    ]

    private static func native(
        _ platform: String, _ sent: String, _ returned: String? = nil
    ) -> RegistrationKindFixture {
        RegistrationKindFixture(
            element: "\(platform)RegistrationDescription", sent: sent, returned: returned ?? sent)
    }

    /// A template whose body holds what CDATA cannot.
    private static func template(
        _ platform: String, _ handle: String, more: String = ""
    ) -> RegistrationKindFixture {
        let name = "<TemplateName>n</TemplateName>" + more
        return RegistrationKindFixture(
            element: "\(platform)TemplateRegistrationDescription",
            sent: handle + "<BodyTemplate>{\"a\":\"$(b)]]&gt;&amp;\"}</BodyTemplate>" + name,
            returned: handle + "<BodyTemplate><![CDATA[{\"a\":\"$(b)]]]]><![CDATA[>&\"}]]>"
                + "</BodyTemplate>" + name)
    }
}
