enum TestKeys {
    /// The certificate of ``certificateKey`` for `localhost`, valid from 2026-11-21 to 2126-10-28.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBfzCCASWgAwIBAgIUQANtuVxDGgeoiFeP92m1cOWRIVkwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTIxNTQ1MVoYDzIxMjYxMDI4
        MjE1NDUxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAASL3zW09QOfJ1FFI+EEaI4Uxjk2ssLt5XaOe09Hx89luIUpINgCPjmV
        PzydRkzYUnd5p/16UrV7MAY+KWYCism4o1MwUTAdBgNVHQ4EFgQUlnr0ABBtGGUQ
        35lkaH2gEcQ8DMowHwYDVR0jBBgwFoAUlnr0ABBtGGUQ35lkaH2gEcQ8DMowDwYD
        VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEA7mo6a7wuqqmicVY1MoBj
        rNEZ0ppDg3XCCeukrPKK0AgCIFtvmDkxLl/ghEs/v2hheKLO+QCGpTOITf3ynhTF
        FHyt
        -----END CERTIFICATE-----

        """

    static let certificateKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgiDBmFwkqIVCt/s2a
        iT5T8fpnFxkCwy/jdwvpJjqEfRGhRANCAASL3zW09QOfJ1FFI+EEaI4Uxjk2ssLt
        5XaOe09Hx89luIUpINgCPjmVPzydRkzYUnd5p/16UrV7MAY+KWYCism4
        -----END PRIVATE KEY-----

        """

    /// An RSA key of 2048 bits.
    static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDampPPxsQJANV5
        FwrtUVh2uX5zlx/lcTcYSTYaEVfy7Vad6vu1MgUeXATWo+W2TWt+ObZjx1kN9ahW
        sSNIBPna+sV9hKKjnXSA5w0UCIQreLkn5XpHtI/zEsFurS2olAMnZLoLn20gEPAC
        m5mL/qMcgvVipGO4H2YhJkH6RityYQu7MSNujM7WVlPJohwIKjom69Uxw5Y9m/0A
        ZvywimGMizz/4O8Rr1gEYikT8Ds3w6/hMawoVatVxjP3xbPQchdCFLCBHt9ehILx
        dsi/JlHgAAvUfdCZMkT0xw5nDpEMSyBPyEsOtQ9dy8fX9t4QZwXojy3F28vPQF7v
        ESdNS7DBAgMBAAECggEAC4liM5zxy5KCXERIYgM2VU2vdro1sg4qMjCVl6/tTEy/
        ktChPWFzvl5s2EcItc5FgKvbDE5WTNOiHAZ32N0qXSbO4AjtQbqVjhf41g3SVoOl
        1zfXyYul7Sttj0G5yc5wkYD8sJBWr1KK2BhjdMKY08W1iDcqFsAmy6kRN6bBtDos
        mNflYzjbn2hoFf5hPF3NliztKBM1vop1sIq4a/lyqJONvjk0KpzRHjvnebo5lJZb
        GXdYN8RtBwF/VyS07vHaAVYShzDLRgophc3mmWTfRQGd+KjIQdS4ntXqkomjpu5i
        5uvuCewc/PQRIjR/AsOfXtz/VQLgjfPGP7ZkAAUlYQKBgQDv9kxUbP6qcAWT/Gu9
        l8DDfv2p9eKTdINYwtsf4RD1OGpnfP4ROJbgob/qKeD7lxpFhudPwdnsoSHYLCVh
        LUS5CXiXJQfjbxAm7NfeEgnxWj5/AKC5imjpMRgq0mDxsO/rz5IRZsCYOd1Oqbto
        X1w1IjBTnP6qkU9NK/4MV0P6twKBgQDpNtfpnmdYF9rzohmb0WVfEiGirCkEoTXv
        arc26WPQDWbUlxjFfEE+tY5IXcuAD5ffNsdf0k2ZJabZembIATgnT7KC9mQsk6p5
        O4jhDo5pqQVs4ZMz4QVgogoryaif6CI5b+p1nunjOZCpqo8O6X63U5FROkRXda1B
        RQBG5ZAYRwKBgC9QRviWjRgaAl+Nc8jsNQvW7DkozEX6wTMtKHt+qxNOzlwdXxMS
        L12XRvnqy/uPbZSr5svpEwj/NGclPTGN9XDulyJmIMoNSggCxwV4VRGLk6sC+q3a
        xpjEH1nCJW9CTewW/1wDAJKDRkmOWe9Ybhvj49d4qxYClLpIpEzWoAa9AoGBAInD
        pgQRWMcHQIYPScVsCtAAa/ImdQyRFsVZauV7NUUfxZDruOxgHEKpCWXiUmZRz8tC
        FsCaANDpFwj9b13SqpM+VxtZ5Y8Xo+p9qrwX1zS/bb8F+ej5ki2lSxDWzU+41w7K
        99uHhm5+AODZKi0K7ZnqObucCecIUtJtql43GcndAoGATzQUiKb0UdXroWqSxQWw
        9QsVihh3ZNct4aENU4ytMTO2IIGPQfATZyB74ED7V1e3gs6LmECTtl6BSeVg8tlK
        nX/jo69+QMWdScrtIDC/FxwqkV2NvyRe5tzHtaM5RWGJfU/NVEr2dg0UNkvJWYXh
        A1hJTvZ99x1PHB/SbXfDmm8=
        -----END PRIVATE KEY-----

        """

    /// A public key of 1024 bits, which is too small.
    static let smallRSA = """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCZGOb368wKxGXCuA4FEA+wi4fw
        G/lBuKJVb7rvpric7kxPh0k+9wzIKiXOnQX0RIPKBt7EG2+kpdx+kE6hXW2ah7Vr
        RsXNgL7jBTGPxH6mvYpQaPqSYqlF3QgGmCXDd80s3OL0sdAO9NG9agjPaAEjwyUJ
        ZcPhLgegL7YUpV8DXQIDAQAB
        -----END PUBLIC KEY-----

        """

    /// The first line of a key with a passphrase; the rest does not matter.
    static let encryptedKey = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
}
